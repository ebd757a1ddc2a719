/**
 * Does a memory tell of this very failure? Strict, because a tool fails often and most failures are new: the memory
 * must name the failure's code, or hold most of what its line says. Pure.
 */
import { codesIn, type FailureLine } from "#domain";
import { readWords } from "#language";
import { stemsOf } from "../exchange/traits.ts";

/** Words of failures of every kind, and of those who report them. */
const everyday = stemsOf(
  "error errors exception fatal failed failure fail failing panic cannot could unable missing unknown invalid " +
    "unexpected expected actual received got found exit exited code status signal command process line file files " +
    "path directory module package script test tests run running npm node python bash shell build compile warning " +
    "warn info note hint traceback recent call last stack trace undefined null none true false object string " +
    "number value argument arguments option type types function method class property column user home src lib " +
    "usr bin tmp var",
);

/** Share of what a line says that a memory without its code has to say too, and how many words at least. */
const sharedFrom = 0.6;
const sharedMin = 4;
/** Beside its code, so many words of the line: the same code says many things. */
const besideCodeMin = 1;

/** True when `text`, all that the memory says, tells of the failure. */
export function isSymptomOf({ text: line, codes }: FailureLine, text: string): boolean {
  const own = tellingStems(line, codes);
  const said = stemsOf(text);
  const shared = [...own].filter((stem) => said.has(stem)).length;
  const known = new Set(codesIn(text));
  if (codes.some((code) => known.has(code)))
    return shared >= besideCodeMin || own.size < besideCodeMin;
  // One that names a code of its own tells of another failure.
  if (codes.length > 0 && known.size > 0) return false;
  return shared >= sharedMin && shared / Math.max(1, own.size) >= sharedFrom;
}

/** What the line says beyond what every failure says; numbers of lines and of processes are none of it. */
function tellingStems(line: string, codes: readonly string[]): ReadonlySet<string> {
  const bare = line
    .replaceAll(/(?:[\w.@~-]*[/\\]){2,}[\w.@-]*/g, " ")
    .replaceAll(/0x[\da-f]+|\b[\da-f]{7,}\b|\b\d+(?::\d+)*\b/gi, " ");
  const named = new Set(codes.flatMap((code) => [...stemsOf(code)]));
  const { content } = readWords(bare);
  return new Set(
    [...stemsOf(content.join(" "))].filter((stem) => !everyday.has(stem) && !named.has(stem)),
  );
}
