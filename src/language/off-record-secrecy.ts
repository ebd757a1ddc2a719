/**
 * Reads "keep this confidential": orders of secrecy, which deny nothing and forbid to remember all the same. They are
 * read from the signs of a clause (off-record-signs.ts). Code has private members: that word needs something told
 * beside it. Pure.
 */
import { signsOf } from "./off-record-signs.ts";
import { forgottenIn } from "./orders-forget.ts";
import { asksForWork } from "./requests.ts";

/** A clause and what stands beside it. */
export interface Telling {
  /** "behind": what is told stands behind its colon. */
  readonly told: string;
  readonly sentence: string;
  /** Clause or sentence before it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** "Please", "can we", "I want you to"; "we keep this private" is of the work. */
const asking = "^(?:s?g[sugi]*)?";
const keepsConfidential = new RegExp(
  [
    // "Keep this confidential", "keep it to yourself", "halt das geheim".
    `${asking}h?(?:[BJj][gjud]*PS?[gzd]*[VK]|[BCJ][gud]*PS?[gd]*K|[BCJ]K[gP]*)g*$`,
    // "Das für dich behalten", "diese Sache muss geheim bleiben", "vertraulich behandeln".
    "^[gh]*P[gdSj]*[VK]g*[BCJj]g*$|^[gj]*V[gj]*J$",
    // "Ça reste confidentiel", "das behältst du für dich".
    "^[gh]*P[gS]*[jBCJ][gju]*[VK]g*$",
    // "I tell you this in confidence".
    "^[gshuPdx]*e[guP]*V$",
  ].join("|"),
);
/** "This does not leave the room", "tell nobody that …". */
const staysHere = /^[gh]*(?:P[gxnSlw]*|[gwn]*)X|^[gh]*P?[gS]*G(?:h|g*P|g*$)/;
/** "This is strictly confidential", "era confidencial". */
const isConfidential = /^[gh]*(?:(?:P[gzdSjQ]*|zg*)V[gz]*|Vg*P)$/;
/** "In confidence: …". */
const opensConfidence = /^[gj]*V[gj]*$/;
/** "This is private", "das bleibt privat". */
const isPrivate = /^[gh]*P[gzdSjQ]*Y[gz]*$/;
const keepsPrivate = new RegExp(`${asking}[BJj][gu]*P[gz]*Yg*$`);

/** True where a clause asks for secrecy. */
export function asksForSecrecy(row: string, clause: Telling): boolean {
  if (keepsConfidential.test(row) || staysHere.test(row)) return true;
  if (opensConfidence.test(row) || isConfidential.test(row)) return isConfided(row, clause);
  // "Keep this private, nobody uses it" points at a member.
  const beside = besideOf(clause);
  const isApart = beside.length > 0 && !beside.some((one) => /[TP]/.test(signsOf(one)));
  return isApart && (keepsPrivate.test(row) || (isPrivate.test(row) && beside.some(isOfPeople)));
}

const besideOf = ({ before, after }: Telling): readonly string[] =>
  [before, after].filter((one) => isTold(one));

function isConfided(row: string, clause: Telling): boolean {
  if (isReason(clause)) return true;
  const { told, sentence, before, after } = clause;
  if (!opensConfidence.test(row))
    return (before === undefined || isTold(before)) && !isOfWork(sentence);
  return told === "behind" ? hasWords(after) : besideOf(clause).some((one) => !isOfWork(one));
}

/** "Can you forget what I said about Kim? That was confidential." */
const isReason = ({ before = "" }: Telling): boolean =>
  forgottenIn(before)?.isSaid === true && !isOfWork(before);

/** Speaks of the writer, or begins with a name. */
const isOfPeople = (said: string): boolean => ofPeople.test(said);
const ofPeople = new RegExp(
  String.raw`^(?:\p{Ll}+ )?\p{Lu}\p{Ll}+(?:['’]s)?(?: \p{Ll}|さん|は)|^\p{Lu}\p{Ll}+ ?\p{sc=Han}` +
    String.raw`|(?<!\p{L})(?:I|I['’]m|my|me|[Ii]ch|[Mm]ein\p{L}*|mir|[Jj]e|[Jj]['’]\p{L}+` +
    String.raw`|mon|ma|mes|yo|mis?|eu|meu|minha|[Яя]|мо[йяёи]|меня|мне)(?!\p{L})|我(?!们)|私|僕|俺`,
  "u",
);

const isTold = (said: string | undefined): said is string =>
  said !== undefined && !asksForWork(said) && !/[?？]\s*$/u.test(said);

/** "Confidential: boolean" is a field. */
const hasWords = (said = ""): boolean =>
  !isOfWork(said) && (/\S\s+\S/u.test(said) || !/\p{sc=Latin}/u.test(said));

/** True for words that name things of the work, which nobody confides. */
export const isOfWork = (said: string): boolean => signsOf(said).includes("T");
