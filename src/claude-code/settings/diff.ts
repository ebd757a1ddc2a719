/** A unified diff of two short texts, for `--dry-run`. Pure. */

const contextLines = 3;
/** Settings files have tens of lines; beyond this the diff shows one block instead of taking quadratic time. */
const linesMax = 2_000;

/** Lines with `+`, `-` or a space in front, in hunks under `@@ line`. Empty when the texts are equal. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return "";
  const edits = editsOf(toLines(before), toLines(after));
  const shown = new Set<number>();
  edits.forEach((edit, index) => {
    if (edit.sign === " ") return;
    const from = Math.max(0, index - contextLines);
    for (let near = from; near <= index + contextLines; near += 1) shown.add(near);
  });
  const out: string[] = [];
  let line = 1;
  edits.forEach((edit, index) => {
    if (shown.has(index)) {
      if (!shown.has(index - 1)) out.push(`@@ line ${line} @@`);
      out.push(edit.sign + edit.text);
    }
    if (edit.sign !== "+") line += 1;
  });
  return out.join("\n");
}

interface Edit {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

const toLines = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const isTooLong = before.length > linesMax || after.length > linesMax;
  const common = isTooLong ? [] : commonLengths(before, after);
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const fresh = after[j];
    if (old !== undefined && old === fresh) {
      edits.push({ sign: " ", text: old });
      i += 1;
      j += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      edits.push({ sign: "-", text: old });
      i += 1;
    } else {
      edits.push({ sign: "+", text: fresh ?? "" });
      j += 1;
    }
  }
  return edits;
}

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** For each pair of tails, the length of their longest common subsequence. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): readonly Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const longest =
        before[i] === after[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
      table[i]?.fill(longest, j, j + 1);
    }
  }
  return table;
}
