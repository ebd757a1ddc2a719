/**
 * The part that a hook loads when no daemon took its event: the spool with the gate before it, the
 * settings, the log, and the database for a session start. In a module of its own, so that a hook
 * whose daemon is up pays for none of it.
 */
import { existsSync } from "node:fs";
import { type AwayHook, createAwayHook } from "#hooks";
import {
  defaultSettings,
  type HomePaths,
  type HookEnvelope,
  type Settings,
  type SpoolGate,
} from "#domain";
import { loadTools } from "#clients";
import { mayForbidMemory } from "#language";
import { loadOffRecord } from "#memory";
import { isSecretPath, loadGate, mayHoldSecret, readsSecrets, stripBlocks } from "#privacy";
import { createFileLog, systemClock } from "#kit";

type Env = Readonly<Record<string, string | undefined>>;

export const awayHook = (env: Env, command: readonly string[]): AwayHook =>
  createAwayHook({
    command,
    openLog: async ({ logs }) => createFileLog({ dir: logs, level: "info", clock: systemClock }),
    loadSettings: async (paths) => loadSettings(paths, env),
    loadGate: async ({ privacy }, texts) => gateFor(privacy, texts),
    loadOrders: async (prompts) =>
      prompts.some(mayForbidMemory) ? (await loadOffRecord()).leavesNoRecord : () => false,
    readStartContext: async (...asked) => readStartContext({ env, command }, ...asked),
  });

/** Variables that change what a hook does while the daemon is away, beside the one that is read here. */
const settingVariable = /^CONTINUITY_(?:CAPTURE_|INJECT_|PRIVACY_)/;

/** The settings' parser is worth its load only when somebody has settings. */
async function loadSettings(paths: HomePaths, env: Env): Promise<Settings> {
  if (existsSync(paths.config) || Object.keys(env).some((name) => settingVariable.test(name))) {
    const { createSettingsSource } = await import("./settings.ts");
    return createSettingsSource(paths, env).current();
  }
  const autostart = !/^(?:0|false|off|no)$/i.test(env["CONTINUITY_AUTOSTART"] ?? "");
  return { ...defaultSettings, server: { ...defaultSettings.server, autostart } };
}

/**
 * Private blocks always go; the rules for secrets are loaded only when a text holds something that one of them might
 * match, or the user wrote expressions of his own.
 */
async function gateFor(
  { redact, allow }: Settings["privacy"],
  texts: readonly string[],
): Promise<SpoolGate> {
  // Asked after the blocks are out: what stood on both sides of a block may be a secret together. Asked once for all:
  // what is found across two texts only makes the answer more careful.
  const stripped = texts.map((text) => stripBlocks(text).text).join("\n");
  const needsRules = redact.length > 0 || mayHoldSecret(stripped);
  if (needsRules) return loadGate({ redact, allow });
  return {
    isSecretPath,
    readsSecrets,
    clean: (text) => ({ ...stripBlocks(text), secrets: [], redactions: 0 }),
  };
}

async function readStartContext(
  { env, command }: { readonly env: Env; readonly command: readonly string[] },
  paths: HomePaths,
  envelope: HookEnvelope,
  { inject }: Settings,
): Promise<string> {
  const [{ readStartContext: read }, { lookUpFor }] = await Promise.all([
    import("./start-text.ts"),
    loadTools(),
  ]);
  return read(paths, envelope, inject.startTokens, lookUpFor({ env, paths, command }));
}
