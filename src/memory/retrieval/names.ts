/**
 * Names in a text: what stands for one thing alone, such as `POL-358`, `7001`, `src/api/user.ts`, `--dry-run`, 🎯, Café
 * or Mirna. Another name of the same form is another thing, however near the two are spelled. Pure.
 */
import { letterPairs, memoised } from "#kit";

interface Form {
  /** As it was typed, composed, in lower case. */
  readonly key: string;
  /** Names of one form may be mistaken for one another. */
  readonly form: string;
}

export interface Name extends Form {
  /** Hardly ever meets by accident: a code, a path, a version; not a small number or a plain word. */
  readonly isStrong: boolean;
  /** Pairs of letters, for a run of a script without spaces, of which the name is a part. */
  readonly pairs: readonly string[];
}

/** Tells whether people use a lower-case word; absent where nobody can tell. */
export type IsWord = ((word: string) => boolean) | undefined;

const textCharsMax = 2_000;
const namesMax = 8;
const nameCharsMax = 120;

const pictures = "\\p{Extended_Pictographic}\\p{RI}\\u{1F3FB}-\\u{1F3FF}\\uFE0F\\u200D";
const unspaced = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}";
const ends = '\\s"“”„«»‹›`()\\[\\]{}<>|;!?…，。！？（）「」';
/** A picture; a run of a script without spaces; what stands between spaces, quotation marks and brackets. */
const chunks = new RegExp(`[${pictures}]+|[${unspaced}]+|[^${ends}${pictures}${unspaced}]+`, "gu");
const isPicture = new RegExp(`^[${pictures}]+$`, "u");
const isUnspaced = new RegExp(`^[${unspaced}]+$`, "u");

/** Words behind which a number stands for `#` and the number, whether the mark is written or not. */
const numberMark = new RegExp(
  String.raw`(?<!\p{L})((?:prs?|mrs?|(?:pull|merge) requests?|issues?|tickets?|bugs?|adrs?|rfcs?` +
    String.raw`|тикет\p{L}*|задач\p{L}*|工单|チケット))(?:\s+(?:no\.?|nr\.?|number)|\s*№)?\s{0,2}(?=\p{N}{2,})`,
  "giu",
);

/** Pieces of a text that may be names, as they stand in it. */
function piecesOf(text: string): readonly string[] {
  const plain = text
    .normalize("NFC")
    .replace(/(?<!\d),|,(?!\d)/gu, " ")
    .replace(numberMark, "$1 #");
  return (plain.match(chunks) ?? [])
    .map((piece) => piece.replace(/^[.:*'’=&+]+|['’]s$|[.,:*'’/&=-]+$/gu, ""))
    .filter((piece) => piece !== "" && piece.length <= nameCharsMax);
}

/** The last question that was read: a prompt is read for memories, for exchanges and by the gate. */
let last: {
  readonly text: string;
  readonly isWord: IsWord;
  readonly names: readonly Name[];
} | null = null;

/** Names in a question, at most eight: the strong ones first. A question of one word names that word. */
export function namesIn(text: string, isWord: IsWord): readonly Name[] {
  if (last === null || last.text !== text || last.isWord !== isWord)
    last = { text, isWord, names: readNames(text, isWord) };
  return last.names;
}

function readNames(text: string, isWord: IsWord): readonly Name[] {
  const pieces = piecesOf(text.slice(0, textCharsMax));
  const names = new Map<string, Name>();
  for (const [at, piece] of pieces.entries()) {
    // A capital says nothing at the beginning of a sentence, unless there is nothing else.
    const isAll = pieces.length === 1;
    const form = formOf(piece, isWord, at > 0 || isAll) ?? (isAll ? "word" : null);
    if (form === null) continue;
    const key = piece.toLowerCase();
    const pairs = form === "unspaced" ? letterPairs(key) : [];
    names.set(key, { key, form, isStrong: !weakForms.has(form), pairs });
  }
  return [...names.values()]
    .toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong))
    .slice(0, namesMax);
}

/** Forms of all names in a text but those that are given, for telling whether it names another thing. */
export function formsIn(
  text: string,
  isWord: IsWord,
  but: ReadonlySet<string>,
): ReadonlySet<string> {
  if (reader === null || reader.isWord !== isWord)
    reader = { isWord, formsOf: memoised((one) => readForms(one, isWord), textsKept) };
  const named = reader.formsOf(text).filter(({ key }) => !but.has(key));
  return new Set(named.map(({ form }) => form));
}

/** Texts whose names are kept: what is near to one prompt is often near to the next. */
const textsKept = 500;
let reader: {
  readonly isWord: IsWord;
  readonly formsOf: (text: string) => readonly Form[];
} | null = null;

const readForms = (text: string, isWord: IsWord): readonly Form[] =>
  piecesOf(text).flatMap((piece) => {
    const form = formOf(piece, isWord, true);
    return form === null ? [] : [{ key: piece.toLowerCase(), form }];
  });

/** Forms of what other things have as well: a quantity, a word. */
const weakForms: ReadonlySet<string> = new Set([
  "number",
  "letter",
  "capitals",
  "words",
  "word",
  "unspaced",
]);

/** Forms of what has letters and no digits, the first that fits. */
const spelled: readonly (readonly [form: string, pattern: RegExp])[] = [
  ["flag", /^--?\p{L}/u],
  ["tag", /^[#@]\p{L}/u],
  // Joined words: blue-heron, and/or.
  ["words", /^\p{L}+(?:-\p{L}+)*(?:\/\p{L}+|-\p{L}+)$/u],
  ["path", /\//u],
  ["address", /@/u],
  ["snake", /\p{L}_|_\p{L}/u],
  ["dotted", /\p{L}{2,}[.:]+\p{L}/u],
  ["camel", /\p{Ll}\p{Lu}/u],
  // GET, EU: not the words get and eu.
  ["capitals", /^\p{Lu}{2,}$/u],
];

/** 3, 42, 2026, 1.5, €4,200, 15%, 10am, 3x: quantities and years. */
const quantities: readonly RegExp[] = [
  /^[^\p{L}\p{N}]?\p{N}{1,2}(?:\.\p{N}{1,2})?(?:\p{L}{1,3}|%)?$/u,
  /^(?:19|20)\p{N}{2}$/u,
  /^\p{Sc}[\p{N},.]+$|^[\p{N},.]+(?:\p{Sc}|%)$|^\p{N}+(?:,\p{N}+)+$/u,
];

const numbered: readonly (readonly [form: string, pattern: RegExp])[] = [
  ["flag", /^--?\p{L}/u],
  ["path", /\/.*\p{L}|\p{L}.*\//u],
  ["address", /@/u],
  ["hash", /^(?=.*[a-f])#?[0-9a-f-]{6,}$/iu],
];

const fitting = (
  forms: readonly (readonly [form: string, pattern: RegExp])[],
  piece: string,
): string | null => forms.find(([, pattern]) => pattern.test(piece))?.[0] ?? null;

/** The form of a name, null for what is none. */
function formOf(piece: string, isWord: IsWord, mayBeProper: boolean): string | null {
  if (isPicture.test(piece)) return "picture";
  if (isUnspaced.test(piece)) return "unspaced";
  if (/\p{N}/u.test(piece)) return formOfNumbered(piece);
  if (!/\p{L}/u.test(piece)) return null;
  if (piece.length === 1) return /[A-HJ-Z]/.test(piece) && mayBeProper ? "letter" : null;
  return formOfSpelled(piece, isWord, mayBeProper);
}

function formOfSpelled(piece: string, isWord: IsWord, mayBeProper: boolean): string | null {
  const form = fitting(spelled, piece) ?? (isNameLike(piece, isWord, mayBeProper) ? "word" : null);
  // TypeScript and GitHub are words that people use; parseDate is none.
  return form === "camel" && isWord?.(piece.toLowerCase()) === true ? "word" : form;
}

/** For codes, the sequence of letters and digits: POL-358 and SHOP-12 are `a-9`, 2.14.1 is `9.9.9`. */
function formOfNumbered(piece: string): string {
  if (quantities.some((pattern) => pattern.test(piece))) return "number";
  const code = piece.replace(/^v(?=\p{N})/iu, "").replace(/\p{L}+/gu, "a");
  return fitting(numbered, piece) ?? code.replace(/\p{N}+/gu, "9");
}

/**
 * A word that is written as a name, has an accent, or is none of those that people use. Where all words are of another
 * script, only a capital tells.
 */
const isNameLike = (piece: string, isWord: IsWord, mayBeProper: boolean): boolean =>
  (mayBeProper && /^\p{Lu}\p{Ll}/u.test(piece)) ||
  (/[^\x00-\x7f]/u.test(piece)
    ? /^[\p{scx=Latin}\p{M}'’]+$/u.test(piece)
    : isWord !== undefined && piece.length > 2 && !isWordForm(piece.toLowerCase(), isWord));

/** Shorter names are abbreviations, and words by accident. */
const wordCharsMin = 3;

/** True for a word, and for a form of one: `scraper` of `scrape`, `invoicing` of `invoice`. */
export function isWordForm(name: string, isWord: (word: string) => boolean): boolean {
  const bare = name.replace(/(?:ings?|ers?|ed|es|s)$/u, "");
  const forms = [name, bare, `${bare}e`, bare.replace(/(.)\1$/u, "$1")];
  return forms.some((form) => form.length >= wordCharsMin && isWord(form));
}
