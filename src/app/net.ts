/** Proxy and certificates of config.toml, put where Bun and the Claude CLI look for them. */
import type { Settings } from "#domain";

/** What config.toml says wins over the variables; what it leaves open stays as it is. */
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
