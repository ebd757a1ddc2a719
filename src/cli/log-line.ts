/** A line of the log as a record, for `logs --json`. Pure; the line's form is made in `src/kit/file-log.ts`. */

const head = /^(\S+) (debug|info|warn|error) (\S+)/;
const field = / ([\w.-]+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** `time`, `level`, `event` and whatever else the line says; a line of another form is the field `text`. */
export function recordOfLogLine(line: string): Readonly<Record<string, string>> {
  const found = head.exec(line);
  if (found === null) return { text: line };
  const [start, time = "", level = "", event = ""] = found;
  const fields = [...line.slice(start.length).matchAll(field)].map(
    ([, name = "", value = ""]) => [name, unquoted(value)] as const,
  );
  return { ...Object.fromEntries(fields), time, level, event };
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value; // Quoting that is not ours.
  }
}
