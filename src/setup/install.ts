/**
 * Puts our hooks into Claude Code's settings and takes them out again.
 *
 * Decisions are in plan.ts; here files are read, backed up and replaced. A settings file that cannot be understood is
 * left alone. Must not know the daemon, the database or the command line.
 */
import { type ClockDep, err, isoTime, ok, type Result, sha256 } from "#kit";
import { lineDiff } from "./diff.ts";
import type { SetupFiles } from "./files.ts";
import { type InstallState, type PlanError, planInstall, planUninstall, textHash } from "./plan.ts";

export interface SetupDeps extends ClockDep {
  readonly files: SetupFiles;
}

export interface SetupOptions {
  /** See settingsPathFor. */
  readonly settingsPath: string;
  /** Folder for backups and for what uninstall needs to know (HomePaths.backups). */
  readonly backups: string;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

export interface InstallOptions extends SetupOptions {
  /** Absolute path of the program. */
  readonly binary: string;
}

export type SetupError =
  | (PlanError & { readonly path: string })
  | { readonly type: "setup.not-utf8"; readonly path: string }
  | { readonly type: "setup.binary-not-absolute"; readonly path: string }
  /** Somebody wrote the file while we were at it; nothing was changed. */
  | { readonly type: "setup.changed-meanwhile"; readonly path: string }
  | { readonly type: "setup.file-failed"; readonly path: string; readonly detail: string };

export interface SetupReport {
  readonly settingsPath: string;
  readonly outcome: "changed" | "unchanged" | "would-change";
  readonly changes: readonly string[];
  /** Copy of the file as it was before this change; null when there was none, or nothing changed. */
  readonly backup: string | null;
  /** For a dry run; empty otherwise. */
  readonly diff: string;
  /** What keeps the hooks from running although they are installed. */
  readonly warnings: readonly string[];
}

/**
 * Claude Code's settings: of the user (`$CLAUDE_CONFIG_DIR`, else `~/.claude`, as the client looks it up), or of a
 * project when its folder is given.
 */
export function settingsPathFor(
  env: Readonly<Record<string, string | undefined>>,
  projectFolder: string | null,
): string {
  if (projectFolder !== null) return `${projectFolder}/.claude/settings.json`;
  const home = env["HOME"] ?? env["USERPROFILE"] ?? ".";
  const folder = env["CLAUDE_CONFIG_DIR"]?.trim() || `${home}/.claude`;
  return `${folder.normalize("NFC")}/settings.json`;
}

/** Adds our hooks; a second run changes nothing. The file before it is kept in `backups`. */
export function install(deps: SetupDeps, options: InstallOptions): Result<SetupReport, SetupError> {
  if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(options.binary)) {
    return err({ type: "setup.binary-not-absolute", path: options.binary });
  }
  return guarded(options.settingsPath, () => {
    const before = readSettings(deps.files, options.settingsPath);
    if (!before.ok) return before;
    const plan = planInstall(before.value.text, options);
    if (!plan.ok) return err({ ...plan.error, path: options.settingsPath });
    const warnings = warningsFor(plan.value.text);
    const report = reportOf(options, before.value, plan.value, warnings);
    if (report.outcome !== "changed") return ok(report);
    const state = stateFor(deps, options, before.value.text, plan.value.text);
    return apply(deps, options, before.value, { text: plan.value.text, state, report });
  });
}

/** Removes our hooks, see planUninstall. Without a settings file there is nothing to do. */
export function uninstall(deps: SetupDeps, options: SetupOptions): Result<SetupReport, SetupError> {
  return guarded(options.settingsPath, () => {
    const before = readSettings(deps.files, options.settingsPath);
    if (!before.ok) return before;
    const state = readState(deps.files, options);
    const plan = planUninstall(before.value.text ?? "{}", state);
    if (!plan.ok) return err({ ...plan.error, path: options.settingsPath });
    const report = reportOf(options, before.value, plan.value, []);
    if (report.outcome !== "changed") return ok(report);
    return apply(deps, options, before.value, { text: plan.value.text, state: null, report });
  });
}

interface SettingsFile {
  /** Where the bytes really lie, symlinks followed. */
  readonly target: string;
  /** Null when there is no file. */
  readonly text: string | null;
}

function readSettings(files: SetupFiles, path: string): Result<SettingsFile, SetupError> {
  const target = files.target(path);
  const bytes = files.read(target);
  if (bytes === null) return ok({ target, text: null });
  try {
    return ok({ target, text: decode(bytes) });
  } catch {
    return err({ type: "setup.not-utf8", path }); // TextDecoder is what throws here.
  }
}

/** Keeps the byte order mark and refuses what is not UTF-8, so that encoding again gives the same bytes. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function reportOf(
  options: SetupOptions,
  before: SettingsFile,
  plan: { readonly text: string | null; readonly changes: readonly string[] },
  warnings: readonly string[],
): SetupReport {
  const isSame = plan.changes.length === 0;
  const changed = options.dryRun ? "would-change" : "changed";
  return {
    settingsPath: options.settingsPath,
    outcome: isSame ? "unchanged" : changed,
    changes: plan.changes,
    backup: null,
    diff: isSame || !options.dryRun ? "" : lineDiff(before.text ?? "", plan.text ?? ""),
    warnings,
  };
}

/** First the backup, then what uninstall needs, then the settings: a crash in between loses nothing. */
function apply(
  deps: SetupDeps,
  options: SetupOptions,
  before: SettingsFile,
  change: {
    readonly text: string | null;
    readonly state: InstallState | null;
    readonly report: SetupReport;
  },
): Result<SetupReport, SetupError> {
  const { files } = deps;
  const backup = before.text === null ? null : backupPath(deps, options, before.text);
  if (backup !== null) files.replace(backup, encode(before.text ?? ""), 0o600);
  if (change.state !== null) {
    files.replace(statePath(files, options), encode(JSON.stringify(change.state)), 0o600);
  }
  const now = readSettings(files, options.settingsPath);
  if (!now.ok || now.value.text !== before.text) {
    return err({ type: "setup.changed-meanwhile", path: options.settingsPath });
  }
  if (change.text === null) files.remove(before.target);
  else files.replace(before.target, encode(change.text), 0o600);
  if (change.state === null) files.remove(statePath(files, options));
  return ok({ ...change.report, backup });
}

/** What uninstall restores: the file before us. When we were in it already, what it would be without us. */
function stateFor(
  deps: SetupDeps,
  options: SetupOptions,
  before: string | null,
  installed: string,
): InstallState {
  const known = readState(deps.files, options);
  const installedHash = textHash(installed);
  if (before === null) return { original: null, installedHash };
  const without = planUninstall(before, known);
  return { original: without.ok ? without.value.text : before, installedHash };
}

const statePath = (files: SetupFiles, options: SetupOptions): string =>
  `${options.backups}/install-${sha256(files.target(options.settingsPath), 12)}.json`;

/** `settings.json.continuity-backup-2026-09-01T09-12-03-044Z-<hash>`: sorts by time, never the same for two texts. */
const backupPath = (deps: SetupDeps, options: SetupOptions, text: string): string => {
  const stamp = isoTime(deps.clock.nowMs()).replaceAll(/[:.]/g, "-");
  return `${options.backups}/settings.json.continuity-backup-${stamp}-${textHash(text).slice(0, 8)}`;
};

/** Null when nothing was installed from here, or the note about it is damaged: then only our entries go. */
function readState(files: SetupFiles, options: SetupOptions): InstallState | null {
  const bytes = files.read(statePath(files, options));
  if (bytes === null) return null;
  try {
    const state = JSON.parse(decode(bytes)) as Partial<InstallState> | null;
    const { original, installedHash } = state ?? {};
    const isWhole =
      (original === null || typeof original === "string") && typeof installedHash === "string";
    return isWhole ? { original, installedHash } : null;
  } catch {
    return null; // JSON.parse and decode are what throws here.
  }
}

function warningsFor(text: string): readonly string[] {
  const settings = JSON.parse(text.replace(/^\ufeff/, "")) as Readonly<Record<string, unknown>>;
  const switches = ["disableAllHooks", "allowManagedHooksOnly"];
  return switches
    .filter((name) => settings[name] === true)
    .map((name) => `"${name}" is true in these settings: Claude Code will not run the hooks`);
}

/** File operations throw; here that becomes an error that names the file. */
function guarded(
  path: string,
  work: () => Result<SetupReport, SetupError>,
): Result<SetupReport, SetupError> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return err({ type: "setup.file-failed", path, detail: error.message });
  }
}
