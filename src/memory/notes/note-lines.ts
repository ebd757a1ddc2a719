/**
 * The statements of an instruction file in Markdown: list items and sentences of prose, each with its line. Code,
 * quotations, tables and comments say nothing, nor does what stands below "Never do this:". Pure.
 */
import { denies } from "#language";

const linesMax = 2_000;
const statementsMax = 600;
const statementCharsMax = 500;

export interface NoteStatement {
  /** From 1: where it begins. */
  readonly line: number;
  readonly text: string;
}

const fence = /^\s{0,12}(`{3,}|~{3,})/u;
const heading = /^(#{1,6})\s+(.*)$/u;
const item = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/u;
/** What stands below such a title is no rule of today. */
const noRules =
  /(?<!\p{L})(?:examples?|deprecated|obsolete|outdated|old|history|changelog|before|wrong|bad|beispiele?|veraltet|exemples?|ejemplos?|exemplos?|примеры?)(?!\p{L})|例/iu;

const isNoRule = (text: string): boolean => denies(text) || noRules.test(text);

/** At most 600 statements of the first 2,000 lines. */
export function noteStatements(text: string): readonly NoteStatement[] {
  const found: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | null = null;
  const close = (): void => {
    if (open !== null) found.push(open);
    open = null;
  };
  let skipsFrom: number | null = null;
  let skipsList = false;
  for (const [at, given] of proseLines(text)) {
    const title = heading.exec(given);
    if (title !== null) {
      close();
      skipsList = false;
      const depth = title[1]?.length ?? 1;
      if (skipsFrom === null || depth <= skipsFrom)
        skipsFrom = isNoRule(title[2] ?? "") ? depth : null;
      continue;
    }
    if (given.trim() === "") {
      close();
      continue;
    }
    const [, , said] = item.exec(given) ?? [];
    if (said === undefined && open === null) skipsList = false;
    if (skipsFrom !== null || (said !== undefined && skipsList)) continue;
    if (said === undefined && open !== null) open.text += ` ${given.trim()}`;
    else {
      close();
      open = { line: at, text: (said ?? given).trim() };
    }
    // "Never:" and "When releasing:" say what the list below is about.
    if (open.text.endsWith(":")) {
      skipsList = true;
      open = null;
    }
  }
  close();
  return found.slice(0, statementsMax).map(({ line, text: said }) => ({
    line,
    text: plain(said).slice(0, statementCharsMax),
  }));
}

/** Lines of prose with their numbers; an empty one where something else stood. */
function* proseLines(text: string): Iterable<readonly [number, string]> {
  const lines = text.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u, linesMax);
  let fenced: string | null = null;
  let isComment = false;
  let at = /^---\s*$/u.test(lines[0] ?? "") ? lines.indexOf("---", 1) + 1 : 0;
  for (; at < lines.length; at += 1) {
    let line = lines[at] ?? "";
    const mark = fence.exec(line)?.[1];
    if (fenced !== null) {
      if (mark !== undefined && mark.startsWith(fenced)) fenced = null;
      yield [at + 1, ""];
      continue;
    }
    if (mark !== undefined && !isComment) {
      fenced = mark;
      yield [at + 1, ""];
      continue;
    }
    if (isComment && line.includes("-->")) {
      line = line.slice(line.indexOf("-->") + 3);
      isComment = false;
    } else if (isComment) line = "";
    line = line.replaceAll(/<!--.*?-->/gu, "");
    if (line.includes("<!--")) {
      line = line.slice(0, line.indexOf("<!--"));
      isComment = true;
    }
    yield [at + 1, /^\s*[>|]/u.test(line) ? "" : line];
  }
}

/** Without markup; of `[Title](file.md): what it says` what it says. */
const plain = (text: string): string =>
  text
    .replace(/^\[[^\]]{1,200}\]\([^)]{1,300}\)\s*[—–:-]\s*(?=\S)/u, "")
    .replaceAll(/!?\[([^\]]{0,200})\]\([^)]{0,300}\)/gu, "$1")
    .replaceAll(/[*_]{2}|`/gu, "")
    .trim();
