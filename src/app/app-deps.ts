/** Builds what every part of the application stands on: settings, log, network, the program itself. */
import type { Settings } from "#domain";
import { createFileLog, systemClock, systemRandom } from "#kit";
import type { AppDeps, Place } from "./context.ts";
import { createSettingsSource } from "./settings.ts";

export function appOf(line: Place): AppDeps {
  const { paths } = line;
  const settings = createSettingsSource(paths, line.env);
  const { log, net } = settings.current();
  applyNet(net, process.env);
  return {
    paths,
    env: line.env,
    clock: systemClock,
    log: createFileLog({ dir: paths.logs, level: log.level, clock: systemClock }),
    random: systemRandom,
    version: line.version,
    settings,
    command: line.command,
  };
}

/**
 * Puts proxy and certificates of config.toml where Bun and the Claude CLI look for them. They win over the variables;
 * what config.toml leaves open stays as it is.
 */
export function applyNet(
  { proxy, noProxy, caFile }: Settings["net"],
  env: Record<string, string | undefined>,
): void {
  const put = (names: readonly string[], value: string): void => {
    for (const name of names) if (value !== "") env[name] = value;
  };
  put(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"], proxy);
  put(["NO_PROXY", "no_proxy"], noProxy.join(","));
  put(["NODE_EXTRA_CA_CERTS"], caFile);
}
