/** The part of our environment that a process which we start is given. */

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The variables that any program needs to run and to find its folders; nothing of it says what a
 * program does with texts.
 */
const baseNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  // Windows finds its own libraries and folders through these.
  "SystemRoot",
  "SYSTEMROOT",
  "USERPROFILE",
  "LOCALAPPDATA",
  "TEMP",
  "TMP",
  "PATHEXT",
  "ComSpec",
]);

/** The variables that every process may have (names, places, the language), and those named beside them. No others. */
export function listedVariables(env: Env, more: ReadonlySet<string>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (baseNames.has(name) || more.has(name) || name.startsWith("LC_")))
      kept[name] = value;
  return kept;
}
