/**
 * The program's first frame: the only reader of argv, environment and exit status.
 *
 * A hook runs at every prompt and tool call, so its path is imported at once and is small; everything else (the
 * command line, the daemon, the gate's rules, the database) is loaded by whoever needs it.
 */
import { captureLimits, readStdin, runHook, writeText, type AwaySettings } from "#capture";
import { defaultSettings, type HomePaths, type HookEnvelope } from "#domain";
import { systemClock, systemRandom } from "#kit";
import { version } from "../package.json";

const { env } = process;

/** From source the runtime is the program and this file its first argument; compiled, the program is all. */
const command = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];

const hook = async (argv: readonly string[]): Promise<number> =>
  runHook({
    argv,
    env,
    version,
    command,
    clock: systemClock,
    random: systemRandom,
    readStdin: async () => readStdin(captureLimits.stdinMs),
    print: async (text) => writeText("stdout", text),
    complain: async (line) => writeText("stderr", `${line}\n`),
    openLog: async (paths) => {
      const { openHookLog } = await import("./hook-log.ts");
      return openHookLog(paths);
    },
    loadSettings,
    loadGate: async ({ privacy }, texts) => {
      const { loadHookGate } = await import("./hook-gate.ts");
      return loadHookGate(privacy.redact, texts);
    },
    readStartContext,
  });

/** Variables that change what a hook does while the daemon is away, beside the one that is read here. */
const settingVariable = /^CONTINUITY_(?:CAPTURE_|INJECT_|PRIVACY_)/;

/** The settings' parser is worth its load only when somebody has settings. */
async function loadSettings(paths: HomePaths): Promise<AwaySettings> {
  const isSet = Object.keys(env).some((name) => settingVariable.test(name));
  if (isSet || (await Bun.file(paths.config).exists())) {
    const { createSettingsSource } = await import("./app-settings.ts");
    return createSettingsSource(paths, env).current();
  }
  const autostart = !/^(?:0|false|off|no)$/i.test(env["CONTINUITY_AUTOSTART"] ?? "");
  return { ...defaultSettings, server: { ...defaultSettings.server, autostart } };
}

async function readStartContext(
  paths: HomePaths,
  envelope: HookEnvelope,
  { inject }: AwaySettings,
): Promise<string> {
  const read = await import("./app-read.ts");
  return read.readStartContext(paths, envelope, {
    clock: systemClock,
    projectOf: () => envelope.project ?? null,
    startTokens: inject.startTokens,
  });
}

/** Hooks start the daemon with this flag, which means nothing to it but tells people what they see in `ps`. */
const autostarted = "--autostarted";

async function run(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "hook") return hook(rest);
  const { runCommandLine } = await import("./app-cli.ts");
  return runCommandLine({
    argv: argv.filter((word) => word !== autostarted),
    env,
    version,
    command,
    cwd: process.cwd(),
    hook,
  });
}

process.exit(await run(process.argv.slice(2)));
