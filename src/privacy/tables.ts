/**
 * Secrets in the cells of tables: CSV, TSV, Markdown and aligned columns below a heading for passwords, and rows of a
 * name and a value.
 */
import { isLabelled, labelBeginnings, promiseOfHeading, promiseOfLabel } from "./words.ts";
import { kindOf, type Trust } from "./judge.ts";
import { type Detector, hits, type Span } from "./spans.ts";
import { isHarmless, isJargon, isPlace, isPlainWord } from "./values.ts";

// Lines of a table cut into cells, whatever separates them. Pure; each line is read once for each separator.

interface Cell {
  readonly text: string;
  /** The offset in the whole text. */
  readonly start: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
  /** The offset of the next one. */
  readonly next: number;
}

interface Separator {
  readonly mark: string;
  /** Ordinary sentences hold it: only a line of nothing but headings begins a table. */
  readonly isLoose: boolean;
  /** A value may hold it too. */
  readonly isInValues: boolean;
  /** It stands at the edges of a row as well. */
  readonly isBar: boolean;
}

const cellsMax = 60;

const separators: readonly Separator[] = [
  { mark: "|", isLoose: false, isInValues: false, isBar: true },
  { mark: "│", isLoose: false, isInValues: false, isBar: true },
  { mark: "\t", isLoose: false, isInValues: false, isBar: false },
  { mark: ";", isLoose: false, isInValues: true, isBar: false },
  { mark: ",", isLoose: false, isInValues: true, isBar: false },
  { mark: "，", isLoose: true, isInValues: false, isBar: false },
  { mark: "、", isLoose: true, isInValues: false, isBar: false },
  { mark: "/", isLoose: true, isInValues: true, isBar: false },
  { mark: ":", isLoose: true, isInValues: true, isBar: false },
  { mark: " ", isLoose: true, isInValues: false, isBar: false },
];

/** `separatorsOf` lists the separators that a line holds, the surest first. */
const separatorsOf = (line: string): readonly Separator[] =>
  separators.filter(({ mark }) => line.includes(mark));

/** Cells without the white space and the quotes around them; the edges of a Markdown row are no cells. */
function cellsOf(line: Line, { mark, isBar }: Separator): readonly Cell[] {
  const cells: Cell[] = [];
  const { text } = line;
  let at = 0;
  while (at <= text.length && cells.length < cellsMax) {
    const end = cellEnd(text, at, mark);
    const raw = text.slice(at, end);
    const bare = raw.trim().replace(/^(["'`*]{1,3})(.*)\1$/, "$2");
    // Aligned columns stand several blanks apart.
    if (mark !== " " || bare !== "")
      cells.push({ text: bare, start: line.start + at + Math.max(0, raw.indexOf(bare)) });
    at = end + 1;
  }
  if (!isBar) return cells;
  const first = cells[0]?.text === "" ? 1 : 0;
  return cells.slice(first, cells.at(-1)?.text === "" ? -1 : undefined);
}

/** The next separator outside quotes, and not behind a backslash. */
function cellEnd(text: string, from: number, mark: string): number {
  const quoted = /^[ \t]{0,8}"(?:[^"]|"")*"[ \t\r]{0,8}/.exec(text.slice(from));
  const behind = from + (quoted?.[0].length ?? 0);
  if (quoted !== null && (behind === text.length || text.startsWith(mark, behind))) return behind;
  let end = text.indexOf(mark, from);
  const isEscaped = (at: number): boolean => mark === "|" && text[at - 1] === "\\";
  while (end > 0 && isEscaped(end)) end = text.indexOf(mark, end + 1);
  return end === -1 ? text.length : end;
}

const lineCharsMax = 2_000;
const rowsMax = 500;
/** A heading is a few words. */
const heading = /^[\p{L}_#][\p{L}\p{N}_ .()#/'’-]{0,40}$/u;
const ruler = /^[\s|:+│┃┼╪─═━=├┤-]+$/u;

const beginnings: readonly string[] = [...labelBeginnings, "pass", "pw", "pin", "cred", "账号"];

function lineAt(text: string, start: number): Line {
  const end = text.indexOf("\n", start);
  const stop = end === -1 ? text.length : end;
  return { text: text.slice(start, Math.min(stop, start + lineCharsMax)), start, next: stop + 1 };
}

export const detectTables: Detector = (hay) => {
  const { text } = hay;
  const spans: Span[] = [];
  let reached = 0;
  for (const at of hits(hay, beginnings).toSorted((a, b) => a - b)) {
    if (at < reached) continue;
    const line = lineAt(text, text.lastIndexOf("\n", at) + 1);
    reached = line.next;
    if (at - line.start > lineCharsMax) continue;
    spans.push(...namedIn(line));
    const table = tableAt(line, text);
    if (table === null) continue;
    const { end, found } = columnsBelow(text, line.next, table);
    spans.push(...found);
    reached = Math.max(reached, end);
  }
  return spans;
};

/** The columns of a table as its headings name them. */
interface Table {
  readonly separator: Separator;
  readonly trusts: readonly (Trust | "pin" | null)[];
  /** Another column says whose password it is. */
  readonly isOfLogins: boolean;
}

/** The table that a line heads, if any: each cell is a few words, and one of them promises a secret. */
function tableAt(line: Line, text: string): Table | null {
  if (line.next >= text.length) return null;
  for (const separator of separatorsOf(line.text)) {
    if (separator.isLoose && !isOfColumns(line.text)) continue;
    const names = headingsOf(line, separator, text);
    const trusts = names.map(trustOfHeading);
    if (!trusts.some((trust) => trust !== null)) continue;
    const isOfLogins = names.some((name) => owners.test(name));
    if (separator.isLoose && !(isOfLogins && names.every(isColumn))) continue;
    return { separator, trusts, isOfLogins };
  }
  return null;
}

/** The headings of a table's columns; none when the line is no row of headings. */
function headingsOf(line: Line, separator: Separator, text: string): readonly string[] {
  const whole = cellsOf(line, separator);
  // "See: | user | password |": the words before the first bar are no column when the rows begin with a bar.
  const isLedUpTo =
    separator.isBar &&
    !line.text.trimStart().startsWith(separator.mark) &&
    rowBar.test(text.slice(line.next, line.next + 20));
  const cells = isLedUpTo ? whole.slice(1) : whole;
  const names = cells.map(({ text: cell }, at) => (at === 0 ? afterProse(cell) : cell));
  return cells.length > 1 && names.every((name) => heading.test(name)) ? names : [];
}

const rowBar = /^[ \t>]{0,16}[|│]/u;

/** `afterProse` cuts off the words before a table in its first line: "note this: user,password". */
const afterProse = (text: string): string => {
  const bare = text.replace(/^.*\S:\s+(?=\S)/, "");
  return heading.test(bare) ? bare : (bare.split(/\s+/).at(-1) ?? "");
};

const owners = new RegExp(
  String.raw`(?:^|[\s_-])(?:users?|usernames?|logins?|accounts?|e-?mails?|names?|hosts?|servers?|services?` +
    String.raw`|sites?|who|benutzer|benutzername|nutzer|konto|name|dienst|utilisateur|compte|identifiant|nom` +
    String.raw`|usuario|cuenta|correo|usuário|conta|пользователь|логин|имя|почта|учётка|сервис)$|用户|账号|账户|帐号|邮箱|用戶` +
    String.raw`|帳號|ユーザー`,
  "iu",
);

/** A few words, the last of them a heading: what most sentences fail. */
function isOfColumns(line: string): boolean {
  if (line.length > headingLineMax) return false;
  const last = /[^\s:/，、]{1,40}\s*$/u.exec(line)?.[0].trim() ?? "";
  return isColumn(last);
}

const headingLineMax = 120;

const isColumn = (name: string): boolean => owners.test(name) || trustOfHeading(name) !== null;

function trustOfHeading(name: string): Trust | "pin" | null {
  if (/^(?:\p{L}+[ _-])?pin(?:[ _-]?code)?$/iu.test(name)) return "pin";
  const trust = promiseOfHeading(name);
  return trust === "weak" ? null : trust;
}

interface Found {
  readonly found: readonly Span[];
  readonly end: number;
}

/** The cells below headings that promise a secret. */
function columnsBelow(text: string, from: number, table: Table): Found {
  const rows: (readonly Cell[])[] = [];
  let at = from;
  let blanks = 0;
  while (rows.length < rowsMax && at < text.length) {
    const line = lineAt(text, at);
    if (line.text.trim() === "") {
      blanks += 1;
      if (blanks > 1) break;
    } else if (!ruler.test(line.text)) {
      const cells = cellsOf(line, table.separator);
      // A heading again begins another table.
      if (cells.length < 2 || cells.some(({ text: cell }) => trustOfHeading(cell) !== null)) break;
      rows.push(cells);
    }
    at = line.next;
  }
  const found = table.trusts.flatMap((trust, column) => {
    if (trust === null) return [];
    const cells = rows.flatMap((row) => cellIn(row, column, table));
    const isWords = trust === "password" && table.isOfLogins && cells.every(isWord);
    return cells.flatMap((cell) => secretsOf(cell, trust, isWords));
  });
  return { found, end: at };
}

/** A row may be longer than its table: then the separator is a character of the last cell. */
function cellIn(
  row: readonly Cell[],
  column: number,
  { trusts, separator }: Table,
): readonly Cell[] {
  const cell = row[column];
  if (cell === undefined || cell.text === "") return [];
  const last = row.at(-1);
  const isCut = column === trusts.length - 1 && row.length > trusts.length && separator.isInValues;
  if (!isCut || last === undefined) return [cell];
  const gaps = row
    .slice(column)
    .map(({ text, start }, at, all) =>
      text.padEnd((all[at + 1]?.start ?? 0) - start, separator.mark),
    );
  return [{ text: gaps.join(""), start: cell.start }];
}

/** Below "user, password" a lone word is a password, unless the column talks about passwords. */
const isWord = ({ text }: Cell): boolean =>
  text.length >= 4 &&
  !/\s/.test(text) &&
  !/[()[\]{}<>|]|^[-*#=_.]+$/.test(text) &&
  !isHarmless(text) &&
  !isPlainWord(text) &&
  !isJargon(text) &&
  !isPlace(text) &&
  !states.test(text);

/** The words of a column about passwords. */
const states = new RegExp(
  String.raw`^(?:works?|working|broken|ok(?:ay)?|done|open|pass(?:ed|es)?|fail(?:s|ed|ing)?|mandatory|needed|never` +
    String.raw`|always|hash(?:ed|ing|es)?|encrypted|plain(?:text)?|rotated?|weak|strong|good|same|different|both` +
    String.raw`|either` +
    String.raw`|(?:un)?supported|allowed|denied|forbidden|generated|random|stored|shared|personal|static|vault` +
    String.raw`|keychain|bitwarden|1password|keepass\w*|ldap|saml|kerberos|oauth|only|later|soon|pending|active` +
    String.raw`|inactive|locked|blocked|nein|leer|pflicht|gültig|ungültig|vergeben|geändert|obligatoire|requis` +
    String.raw`|facultatif|obligatori[ao]|requerid[ao]|opcional|обязательно|нет|есть|\d{1,3}[+dhmsx]?|\d{1,3}-\p{L}+)$`,
  "iu",
);

function secretsOf({ text, start }: Cell, trust: Trust | "pin", isWords: boolean): readonly Span[] {
  // The sentence may go on behind the last cell.
  const first = /^\S+/.exec(text)?.[0] ?? "";
  const isAlone = first.length === text.length;
  const isIt =
    trust === "pin"
      ? /^\d{4,8}$/.test(first)
      : (isLabelled(first, trust) && (isAlone || isDrawnUp(first))) || (isAlone && isWords);
  return isIt ? [{ start, end: start + first.length, kind: kindOf(trust) }] : [];
}

/** Behind it stand other words, so that it has to look chosen: a digit within letters, or three sorts of characters. */
const isDrawnUp = (value: string): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/^\d{1,3}[-+]?\p{L}+$/u.test(value);

/** `| API_KEY | value |`: a cell that is a name, and those behind it. */
function namedIn(line: Line): readonly Span[] {
  return separatorsOf(line.text).flatMap((separator) => {
    const { mark } = separator;
    const isOne = line.text.indexOf(mark) === line.text.lastIndexOf(mark);
    if (separator.isLoose || !(separator.isBar || isOne)) return [];
    const cells = cellsOf(line, separator);
    const isPair = cells.length === 2 && /^[\w.-]{3,40}$/.test(cells[0]?.text ?? "");
    if (!separator.isBar && !isPair) return [];
    return cells.flatMap((cell, index) => {
      const name = cells[index - 1]?.text ?? "";
      const first = cells[0]?.text ?? "";
      const trust = trustOfName(name) ?? (index > 1 ? trustOfName(first) : null);
      if (trust === null || trust === "weak") return [];
      return /\s/.test(cell.text) || !isLabelled(cell.text, trust)
        ? []
        : [{ start: cell.start, end: cell.start + cell.text.length, kind: kindOf(trust) }];
    });
  });
}

const trustOfName = (name: string): Trust | null =>
  /^[\w.-]{3,40}$|^[\p{L} ]{2,30}$/u.test(name) ? promiseOfLabel(name) : null;
