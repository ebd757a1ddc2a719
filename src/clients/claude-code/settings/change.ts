/**
 * Changes one file of Claude Code: read, planned, backed up, replaced; and undone again.
 *
 * Decisions are in plan.ts. A file that cannot be understood, or that its owner made read-only, is left alone. Must not
 * know the daemon, the database or the command line.
 */
import { dirname, sep } from "node:path";
import {
  err,
  folderFault,
  isoTime,
  ok,
  parseJson,
  recordOf,
  type Result,
  sha256,
  type Clock,
  type WriteFault,
  writeFaultIn,
} from "#kit";
import { lineDiff, setupFiles } from "./files.ts";
import type { PlanError } from "./hooks.ts";
import {
  type InstallState,
  type Plan,
  planInstall,
  planServer,
  planUninstall,
  type SettingsWish,
  type TakeOut,
  textHash,
  undone,
} from "./plan.ts";

export interface SetupOptions {
  /** The file: settings, or a list of MCP servers (see places.ts). */
  readonly settingsPath: string;
  /** Folder for backups and for what uninstall needs to know (HomePaths.backups). */
  readonly backups: string;
  /** Only say what would be done. */
  readonly dryRun: boolean;
  /** Folder of our plugin marketplace, see planUninstall. */
  readonly marketplace?: string | null;
  /**
   * The project's folder, for files of a project: nothing outside it is written. Its symlinks are as foreign as the
   * rest of a clone; those of the user's own files are the user's, and followed.
   */
  readonly within?: string | null;
  /** By default as planUninstall says. */
  readonly takeOut?: TakeOut;
}

export type SetupError =
  | (PlanError & { readonly path: string })
  | { readonly type: "setup.not-utf8"; readonly path: string }
  | { readonly type: "setup.binary-not-absolute"; readonly path: string }
  /** Its owner, or another program, keeps it from being written; nothing was changed. */
  | { readonly type: "setup.read-only"; readonly path: string }
  /** A symlink of the project leads to a place outside it; nothing was changed. */
  | { readonly type: "setup.outside"; readonly path: string; readonly target: string }
  /** Another program wrote the file meanwhile; nothing was changed. */
  | { readonly type: "setup.changed-meanwhile"; readonly path: string }
  /** A folder that a change needs takes no file. */
  | { readonly type: "setup.not-written"; readonly path: string; readonly fault: WriteFault };

export interface SetupReport {
  readonly settingsPath: string;
  readonly outcome: "changed" | "unchanged" | "would-change";
  readonly changes: readonly string[];
  /** Copy of the file as it was before this change; null when there was none, or nothing changed. */
  readonly backup: string | null;
  /** For a dry run; empty otherwise. */
  readonly diff: string;
  /** The reason why this change cannot be written; only a dry run may plan one. */
  readonly barrier: SetupError | null;
  /** Faults that keep the hooks from running although they are installed, and parts that were left alone. */
  readonly warnings: readonly string[];
}

/** Puts into the file what `plan` says; the file before it is kept in `backups`. */
export const putIn = (
  clock: Clock,
  options: SetupOptions,
  plan: (text: string | null) => Result<Plan, PlanError>,
): Result<SetupReport, SetupError> => change(clock, options, plan, stateFor);

/** Takes out of the file what is ours, see planUninstall. Without a file there is nothing to do. */
export const uninstall = (clock: Clock, options: SetupOptions): Result<SetupReport, SetupError> =>
  change(
    clock,
    options,
    (text) => withoutUs(options, text ?? "{}", readState(options)),
    () => null,
  );

type Planned = Omit<Plan, "text" | "notes"> &
  Partial<Pick<Plan, "notes">> & { readonly text: string | null };

/** `stateAfter` gives what a later uninstall needs to know. File operations throw; here that names the file. */
function change(
  clock: Clock,
  options: SetupOptions,
  plan: (text: string | null) => Result<Planned, PlanError>,
  stateAfter: (options: SetupOptions, before: FileBefore, text: string) => InstallState | null,
): Result<SetupReport, SetupError> {
  const { settingsPath: path } = options;
  try {
    const before = readFile(options);
    if (!before.ok) return before;
    const made = plan(before.value.text);
    if (!made.ok) return err({ ...made.error, path });
    const { text } = made.value;
    const report = reportOf(options, before.value, made.value);
    if (report.outcome !== "changed") return ok(report);
    if (report.barrier !== null) return err(report.barrier);
    const state = stateAfter(options, before.value, text ?? "");
    return apply(clock, options, before.value, { text, state, report });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const at = "path" in error && typeof error.path === "string" ? error.path : path;
    return err({ type: "setup.not-written", path, fault: writeFaultIn(at, error) });
  }
}

const withoutUs = (
  { takeOut, marketplace }: SetupOptions,
  text: string,
  state: InstallState | null,
): ReturnType<TakeOut> => undone(text, state, takeOut ?? planUninstall(marketplace ?? null));

interface FileBefore {
  /** The file itself, symlinks followed. */
  readonly target: string;
  /** Null when there is no file. */
  readonly text: string | null;
  readonly isReadOnly: boolean;
}

function readFile({ settingsPath: path, within }: SetupOptions): Result<FileBefore, SetupError> {
  const target = setupFiles.target(path);
  if (typeof within === "string" && !isInside(target, setupFiles.target(within)))
    return err({ type: "setup.outside", path, target });
  const bytes = setupFiles.read(target);
  if (bytes === null) return ok({ target, text: null, isReadOnly: false });
  try {
    return ok({ target, text: decode(bytes), isReadOnly: setupFiles.isReadOnly(target) });
  } catch {
    return err({ type: "setup.not-utf8", path }); // TextDecoder is what throws here.
  }
}

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(/[/\\]$/.test(folder) ? folder : `${folder}${sep}`);

/** Keeps the byte order mark and refuses what is not UTF-8, so that encoding again gives the same bytes. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function reportOf(
  options: SetupOptions,
  before: FileBefore,
  { text, changes, notes = [] }: Planned,
): SetupReport {
  const isSame = changes.length === 0;
  const changed = options.dryRun ? "would-change" : "changed";
  return {
    settingsPath: options.settingsPath,
    outcome: isSame ? "unchanged" : changed,
    changes,
    backup: null,
    diff: isSame || !options.dryRun ? "" : lineDiff(before.text ?? "", text ?? ""),
    barrier: isSame ? null : barrierOf(options, before),
    warnings: notes,
  };
}

/** Checks beforehand what would keep a change from being written: the file, its folder, or the folder of backups. */
function barrierOf(
  { settingsPath: path, backups }: SetupOptions,
  { target, isReadOnly }: FileBefore,
): SetupError | null {
  if (isReadOnly) return { type: "setup.read-only", path };
  const fault = folderFault(dirname(target)) ?? folderFault(backups);
  return fault === null ? null : { type: "setup.not-written", path, fault };
}

/** First the backup, then what uninstall needs, then the file: a crash in between loses nothing. */
function apply(
  clock: Clock,
  options: SetupOptions,
  before: FileBefore,
  change: {
    readonly text: string | null;
    readonly state: InstallState | null;
    readonly report: SetupReport;
  },
): Result<SetupReport, SetupError> {
  const backup = before.text === null ? null : backupPath(clock, options, before.text);
  if (backup !== null) setupFiles.replace(backup, encode(before.text ?? ""), 0o600);
  const state = statePath(options.settingsPath, options.backups);
  const folders = readState(options)?.folders ?? [];
  if (change.state !== null) setupFiles.replace(state, encode(JSON.stringify(change.state)), 0o600);
  const now = readFile(options);
  if (!now.ok || now.value.text !== before.text)
    return err({ type: "setup.changed-meanwhile", path: options.settingsPath });
  if (change.text === null) {
    setupFiles.remove(before.target);
    setupFiles.removeEmpty(folders);
  } else setupFiles.replace(before.target, encode(change.text), 0o600);
  if (change.state === null) setupFiles.remove(state);
  return ok({ ...change.report, backup });
}

/**
 * `stateFor` gives the state that uninstall restores: the file before us. When we were in it
 * already, what it would be without us.
 */
function stateFor(
  options: SetupOptions,
  { target, text: before }: FileBefore,
  installed: string,
): InstallState {
  const known = readState(options);
  const installedHash = textHash(installed);
  const folders = [...setupFiles.missingFolders(target), ...(known?.folders ?? [])];
  if (before === null) return { original: null, installedHash, folders };
  const without = withoutUs(options, before, known);
  return { original: without.ok ? without.value.text : before, installedHash, folders };
}

const statePath = (settingsPath: string, backups: string): string =>
  `${backups}/install-${sha256(setupFiles.target(settingsPath), 12)}.json`;

/** `settings.json.continuity-backup-2026-09-01T09-12-03-044Z-<hash>`: sorts by time, never the same for two texts. */
const backupPath = (clock: Clock, options: SetupOptions, text: string): string => {
  const stamp = isoTime(clock.nowMs()).replaceAll(/[:.]/g, "-");
  const name = options.settingsPath.split(/[/\\]/).at(-1) ?? "";
  const shown = name.replace(/^\./, "");
  return `${options.backups}/${shown}.continuity-backup-${stamp}-${textHash(text).slice(0, 8)}`;
};

/** Null when nothing was installed from here, or the note about it is damaged: then only our entries go. */
function readState(options: SetupOptions): InstallState | null {
  const bytes = setupFiles.read(statePath(options.settingsPath, options.backups));
  if (bytes === null) return null;
  try {
    const state = JSON.parse(decode(bytes)) as Partial<InstallState> | null;
    const { original, installedHash, folders = [] } = state ?? {};
    const isWhole =
      (original === null || typeof original === "string") &&
      typeof installedHash === "string" &&
      Array.isArray(folders);
    return isWhole ? { original, installedHash, folders } : null;
  } catch {
    return null; // JSON.parse and decode are what throws here.
  }
}

/** Notes the files that are about to be changed; the returned function puts them back as they were. */
export function noteBefore(settingsPaths: readonly string[], backups: string): () => void {
  const puts = settingsPaths.flatMap((settingsPath) =>
    [setupFiles.target(settingsPath), statePath(settingsPath, backups)].map(setupFiles.note),
  );
  return () => puts.toReversed().forEach((putBack) => putBack());
}

// Puts our hooks, status line, plugin and MCP server into Claude Code's files, and takes them out again.

/** Adds what is wished to the settings; a second run changes nothing. */
export function install(
  clock: Clock,
  options: SetupOptions & SettingsWish,
): Result<SetupReport, SetupError> {
  if (!isAbsolute(options.binary))
    return err({ type: "setup.binary-not-absolute", path: options.binary });
  return putIn(clock, options, (text) => {
    const plan = planInstall(text, options);
    if (!plan.ok) return plan;
    const notes = [...plan.value.notes, ...switchedOff(plan.value.text)];
    return ok({ ...plan.value, notes });
  });
}

export const installServer = (
  clock: Clock,
  options: SetupOptions & { readonly binary: string },
): Result<SetupReport, SetupError> => putIn(clock, options, (text) => planServer(text, options));

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** Switches in a settings text that keep its hooks from running. */
function switchedOff(text: string): readonly string[] {
  const settings = recordOf(parseJson(text.replace(/^\ufeff/, "")));
  return ["disableAllHooks", "allowManagedHooksOnly"]
    .filter((name) => settings[name] === true)
    .map((name) => `"${name}" is true in these settings: Claude Code will not run the hooks`);
}
