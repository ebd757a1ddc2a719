/** Puts our hooks, status line, plugin and MCP server into Claude Code's files, and takes them out again. */
import { err, type Result } from "#kit";
import {
  putIn,
  takeOut,
  type SetupDeps,
  type SetupError,
  type SetupOptions,
  type SetupReport,
} from "./change.ts";
import { planInstall, planServer, type SettingsWish } from "./plan.ts";

export type InstallOptions = SetupOptions & SettingsWish;

/** Adds what is wished to the settings; a second run changes nothing. */
export function install(deps: SetupDeps, options: InstallOptions): Result<SetupReport, SetupError> {
  if (!isAbsolute(options.binary))
    return err({ type: "setup.binary-not-absolute", path: options.binary });
  return putIn(deps, options, (text) => {
    const plan = planInstall(text, options);
    if (!plan.ok) return plan;
    const notes = [...plan.value.notes, ...switchedOff(plan.value.text)];
    return { ok: true, value: { ...plan.value, notes } };
  });
}

/** Adds our MCP server to the file that lists them. */
export const installServer = (
  deps: SetupDeps,
  options: SetupOptions & { readonly binary: string },
): Result<SetupReport, SetupError> => putIn(deps, options, (text) => planServer(text, options));

/** Removes what is ours from one file, whichever it is. */
export const uninstall = takeOut;

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** Switches in a settings text that keep its hooks from running. */
function switchedOff(text: string): readonly string[] {
  const settings = JSON.parse(text.replace(/^\ufeff/, "") || "{}") as Readonly<
    Record<string, unknown>
  >;
  return ["disableAllHooks", "allowManagedHooksOnly"]
    .filter((name) => settings[name] === true)
    .map((name) => `"${name}" is true in these settings: Claude Code will not run the hooks`);
}
