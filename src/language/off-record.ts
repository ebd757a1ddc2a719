/**
 * "Do not remember this": does a typed text forbid, in one of eight languages, that something of it be kept? A clause
 * is read as a row of signs (off-record-signs.ts). It forbids where a denial, a verb of keeping and what points at the
 * talk stand near each other, in any order, whatever stands around them. Verbs of files need a clearer object than
 * verbs of memory. Pure, linear in the text.
 */
import { memoised } from "#kit";
import { asksForSecrecy, isOfWork, type Telling } from "./off-record-secrecy.ts";
import { lineCharsMax, signsOf } from "./off-record-signs.ts";
import { asksForWork, isQuestion } from "./requests.ts";
import { hardSplit } from "./sentences.ts";

/** Shapes within a row and what stands for them from then on, in their order. */
const rewrites: readonly (readonly [shape: RegExp, by: string])[] = [
  [/H/g, "gm"],
  // "Write this down", "schreib das auf".
  [/C(?=[^hQ]{0,6}r)/g, "B"],
  [/r/g, "g"],
  // "Nothing I say", "das, was ich dir gesagt habe", "the things I told you", "我刚才说的话", "今言ったこと".
  [/(?<=o)g?s[gu]{0,2}e/g, "P"],
  [
    /(?:[PLdmS]{0,2}h?Q|(?:[LPd]{1,2}S?h?|[LPd]?Sh)(?=g?s))g?s?[gusmLPTakyixd]{0,5}[eC]z?[gusPa]*S?/g,
    "P",
  ],
  [/s[guPya]{0,5}(?:p[xS]?|eg?[Pu]{0,2}S|eg(?=[ABCE]))/g, "P"],
  // "Don't note that the …" begins a clause.
  [/L(?=o|dx)|(?<=[ABEM]g*)L(?=[dmstu])|(?<=[AE])L(?=x[ABCExz])/g, "h"],
  // Among verbs in a row the one of memory counts: "do not log or remember this".
  [/C(?=[gPu]*[ABE])|Ck[kg]*(?=[ABE])|[BE]kg*(?=A)|(?<=A)kg*[BCE]|(?<=[BE])kg*C/g, ""],
  // "Das" and "lo" are pronouns where no noun follows. "This file" is of the work, "this conversation" of the talk.
  // A noun may look like a verb: "le note vuote".
  [/L(?=[LgM]?[xTMS])|(?<=[BC])L(?=Ex+$)/g, "d"],
  [/L/g, "P"],
  [/P[xm]?T+/g, "T"],
  [/P[xm]{0,2}g?S+/g, "P"],
  [/P+/g, "P"],
];

const rewritten = (row: string): string =>
  rewrites.reduce((said, [shape, by]) => said.replace(shape, by), row);

// Shapes that forbid by themselves.

const isNoOrder = "(?<![nlwNst][gu]*)";
/** Shapes in a row as it was read. */
const forbiddingAsRead: readonly RegExp[] = [
  // "Forget that I said this".
  new RegExp(`${isNoOrder}[FR][gu]*(?=[hLs])[hgsuPLad]{1,6}e`),
  // "Forget this right after", "forget what I am about to say".
  new RegExp(
    `${isNoOrder}F(?!.*[nlT]).*[PQL].*a(?![gdi]*T)(?!d)|(?:a.*${isNoOrder}F|${isNoOrder}F.*a)(?!.*[nlT]).*[PhQ]`,
  ),
  // "忘记我接下来要说的", "今から言うことは忘れて".
  /F[gs]*ae|[gP]i(?:ae|[eC])Sg*F/,
  // "After you have answered forget this" where the verb stands last.
  /P[ga]*a[ga]*F$|a[ga]*Pg*F$/,
  // "Delete what I tell you right after"; a file may be deleted afterwards.
  /R(?!.*[nlT])(?=.*Q.*s.*e).*a|a.*R(?!.*[nlT]).*Q.*s.*e/,
  // "Erase this from your memory", "把这句从记忆里删掉".
  new RegExp(`${isNoOrder}[FR][gd]*[PL]?[dguiv]*M|[PL]g*i?[AM][gi]*[FR]`),
  // "Stop saving stuff about my health", "hör auf, Dinge über mich zu speichern".
  /^[gu]*[nlwN][gu]*(?:[ABE][^qT]*H|[^qTABE]*H[^qTABE]*[ABE])[^T]*$/,
  // "Pretend that I never said that".
  /D[^qFR]{0,8}[nlo][^qFR]{0,8}e|D[^qFR]{0,8}e.{0,3}[nl]|e.{0,3}D/,
];
const forbidding: readonly RegExp[] = [
  // "An off the record mode", "the off the record flag", "off the record mode": things of the work.
  /(?<![di])O(?!T)|[di]O(?=S)/,
  // "Let this stay between us"; the contract between us and the vendor is no secret.
  /(?:^[gh]*|[jPBoC][gPdimjh]*)U(?!x|k[dx]|P?T)/,
  // "Make sure this doesn't end up in your memory": without "your" it may be of a program.
  /Z(?:g*$|.*[gm]M)/,
  // "Keep this out of your memory", "out of any logs or memories".
  /^[^qT]*[BCPj][^qT]*v[gdmu]*(?:[CTx]k)?M[^qT]*$/,
];
/** "Forget what I said", where nothing follows that corrects it. */
const forgetsSaid = /[FR][ga]*P[ga]*$/;
/** "Forget right after:", with what is to be forgotten behind the colon. */
const forgetsBehind = /^g*F[ga]*a[ga]*$/;
/** "Nothing to be saved:", the same. */
const keepsNothingBehind = /^o[gi]*[ABE]$/;

// Denials of keeping.

/** A denial and, on either side, the verb or noun of memory that it governs. */
const denialFirst =
  /[nlwoN][lN]?g{0,2}h?(?:[gPWSudmvij]|x?g?S[dgmx]{0,4}|x(?=i[dgm]*M)|k(?=[ABCE])|[ABCE]k)*?[ABCEM]/g;
const denialBehind = /[ABCEM](?:[gPWSudmijCM]|S[dgmx]{1,4})*?[lo]/g;

/**
 * Each denial of a row with its verb as `pre>DVmid|post/told`: the denial D, the verb V, and what stands before,
 * between and behind them; `<` where the denial is behind the verb.
 */
function denialsIn(row: string, told: Told): readonly string[] {
  const around = ({ 0: match, index }: RegExpExecArray, ends: string): string =>
    `${row.slice(0, index)}${ends}${match.slice(1, -1)}|${row.slice(index + match.length)}/${told}`;
  return [
    ...Array.from(row.matchAll(denialFirst), (match) =>
      around(match, `>${match[0].slice(0, 1)}${match[0].slice(-1)}`),
    ),
    ...Array.from(row.matchAll(denialBehind), (match) =>
      around(match, `<${match[0].slice(-1)}${match[0].slice(0, 1)}`),
    ),
  ];
}

/**
 * Place of what is not to be kept. `thing`: a thing of the work behind a colon; `step`: the work goes on; `code`: the
 * next clause says that it is code, or how many bytes it takes; `mine`: "this" is the prompt, of which the writer goes
 * on to tell.
 */
type Told = "after" | "before" | "behind" | "code" | "mine" | "none" | "step" | "thing";

/** Somebody else does not keep, or the writer only tells of not keeping. */
const telling: readonly RegExp[] = [
  // "Why does it not", "if you don't", "the app must not", "users don't", "I don't", "merke ich mir nicht".
  /q.*[<>]/,
  /c[gsutx]{0,2}[<>]/,
  // "Der Server soll sich die Sitzung nicht merken".
  /tt[^ABCEMFR]*[<>]/,
  /(?:[tT]|(?<!S[dgi]{0,2})[dm]x)[gPWiS]*[<>]/,
  /s[gPWiS]*[<>][^wN]|\|s(?!g*S)/,
  /u(?:>n|<[^wN]).\|/,
  // "I don't need to"; "it must not remember that" is of a program, "this must not be saved" is not.
  /[xs][<>]N/,
  /^[gk]*P[gz]*[<>]w.*\|g*P/,
  // "This is not saved", "remember not to", "don't forget to", "vergiss das nicht", "without the archive".
  /[PxTS]z>[^wN]/,
  /A[gkPh]*>/,
  /[FR][gPdsu]*(?:>|<..[gPdsu]*\|)/,
  /[<>].[^M][^|]*d\|/,
];

// Objects of a denied verb.

/** "This", "what I said". */
const points = /[<>]..[^|]*P|\|[gWMABCEkuidm]{0,5}P|P[gWukjazS]{0,5}[<>]/;
/** "The name of the client". */
const names = /[<>]..[^|]*S|\|[gdmsMWi]{0,4}S(?!.*T)|S(?:[gWz]{0,3}|[dgi]{0,3}x{1,3}[gz]*)[<>]/;
/** "That Kim leaves"; "dass Kim geht, musst du dir nicht". */
const tells = /\|[gWMuA]*h|^k?h.*[<>]..[^|]*u[^|]*\|\//;
/** There is none in the clause, nor a thing of the work. */
const isBare = (denial: string): boolean =>
  /\|[gWukaABCEMid]*\//.test(denial) && !/[xT][<>]l|[<>].[^M][^|]*[xT][^|]*\|/.test(denial);
/** Something is told before it, or behind a colon; behind "write it nowhere" also in the next clause. */
const isTold = /\/(?:before|behind)|W.*\/after/;
/** A noun, a time or a place of the work, behind the pronoun if there is one. */
const ofWork = new RegExp(
  String.raw`\|(?:[gWMABCEkuidm]{0,5}P)?[gWka]*(?:x(?!x{0,2}z)|T|y|i(?![gdm]*[MWU]|g*P|mg*S)` +
    String.raw`|d(?!x{1,3}z|g?P)|n[dmx]*T)`,
);
/** "My salary", "who told you this". */
const ofPerson = /[<>].A.*\|(?:g*m|[^TqhFRQ]{0,3}P(?!q))/;

/** "Don't keep this in memory, it is 2 GB", "don't keep this, it's dead code"; "in your memory" is the agent's. */
const isOfCode = (denial: string): boolean =>
  /[<>].[BC].*\/code|[BC][^/]*[<>].M.*\/code/.test(denial) && !/(?<!P)[gm]M/.test(denial);

/** A verb of memory, or one beside the memory. */
const inMemory = /[<>](?:.A|.*M)|M.*[<>].[^C]|iM[gP]*[<>].C/;

function forbidsKeeping(denial: string): boolean {
  if (telling.some((shape) => shape.test(denial)) || isOfCode(denial)) return false;
  if (!inMemory.test(denial)) return forbidsStoring(denial);
  if ([points, names, tells, ofPerson].some((shape) => shape.test(denial))) return true;
  return isBare(denial) && /\/(?:before|behind|after)|[<>].A.*\/thing/.test(denial);
}

/** Verbs of files and code need an object that nothing makes a thing of the work. */
function forbidsStoring(denial: string): boolean {
  const isNowhere = denial.includes("W");
  if (denial.endsWith("/mine")) return true;
  const isPut = /[<>].C/.test(denial);
  if (points.test(denial)) {
    const isWished = isNowhere || (!isPut && !denial.endsWith("/step"));
    return isWished && !ofWork.test(denial);
  }
  if (isPut) return isNowhere && tells.test(denial);
  if (tells.test(denial) || (isBare(denial) && isTold.test(denial))) return true;
  return names.test(denial) && /W|[<>].E|\/behind|\|g*[ms]g*S/.test(denial);
}

// Clauses of a sentence.

interface Clause extends Telling {
  readonly raw: string;
  readonly told: Told;
  /** Nothing follows in its sentence. */
  readonly isLast: boolean;
}

function forbids(clause: Clause): boolean {
  const { raw, told, isLast } = clause;
  const row = rewritten(raw);
  return (
    forbiddingAsRead.some((shape) => shape.test(raw)) ||
    forbidding.some((shape) => shape.test(row)) ||
    ((told === "behind" || told === "thing") &&
      (forgetsBehind.test(raw) || keepsNothingBehind.test(raw))) ||
    (isLast && told === "before" && raw.includes("e") && forgetsSaid.test(row)) ||
    asksForSecrecy(row, clause) ||
    denialsIn(row, told).some(forbidsKeeping)
  );
}

/** Ends a clause: a mark, or "but"; no comma before a clause that is told. */
const bounds = new RegExp(
  String.raw`([;:：；、(（)）[\]—]` +
    String.raw`|(?<!h[öo]re?t? (?:\p{Ll}+ )?auf)[,，](?!\s*(?:dass|daß|was|что|чтобы|que|what)(?!\p{L}))|\s[–-]{1,2}\s` +
    String.raw`|\s(?:but|aber|mais|pero|ma(?= \p{Ll}+[oiae] )|mas|но)\s)`,
  "iu",
);
const bullet = /^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u;
const quotedMark = /^["'«„“「『]/u;

interface Part {
  raw: string;
  text: string;
  /** Ends it. */
  mark: string;
}

/** Splits a sentence at its marks; a filler between two commas parts nothing. */
function partsOf(sentence: string): readonly Part[] {
  const pieces = sentence.replace(bullet, "").split(bounds);
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const text = (pieces[at] ?? "").trim();
    const mark = pieces[at + 1] ?? "";
    if (quotedMark.test(text)) continue;
    const raw = signsOf(text);
    const open = parts.at(-1);
    if (open !== undefined && (raw === "" || open.raw === "") && !/[:：;；]/u.test(open.mark))
      Object.assign(open, { raw: open.raw + raw, text: `${open.text} ${text}`, mark });
    else parts.push({ raw, text, mark });
  }
  return parts;
}

function clausesOf(sentence: string, before?: string, after?: string): readonly Clause[] {
  const parts = partsOf(sentence);
  const isStep = parts.some(({ raw }) => raw.includes("y"));
  const isDenied = parts.some(({ raw }) => denies.test(raw));
  const ordered = isDenied ? signsOf(before ?? "").slice(-orderSignsMax) : "";
  return parts.map(({ raw, mark }, n) => {
    const [prior, next] = [parts[n - 1], parts[n + 1]];
    const told = (): Told => {
      if (next !== undefined) {
        if (saysCode(next)) return "code";
        if (/[:：–—-]/u.test(mark)) return next.raw.includes("T") ? "thing" : "behind";
      }
      if (isOfForgotten(parts, n, ordered)) return "before";
      if (isStep) return "step";
      if (isOfPrompt(parts, n, before)) return "mine";
      if (isToldBefore(parts, n, { before, after })) return "before";
      return isStatement(next?.text ?? after) ? "after" : "none";
    };
    return {
      raw,
      told: told(),
      isLast: next === undefined,
      sentence,
      before: prior?.text ?? before,
      after: next?.text ?? after,
    };
  });
}

/**
 * "Forget what I said about Kim, don't save": keeping is denied beside an order to forget. Where more follows, or the
 * order is a sentence of its own, files may be meant: "Forget what I said about autosave. Don't save."
 */
function isOfForgotten(parts: readonly Part[], n: number, before: string): boolean {
  const raws = parts.slice(Math.max(0, n - 2), n + 1).map(({ raw }) => raw);
  const raw = raws.at(-1) ?? "";
  if (!denies.test(raw)) return false;
  const signs = `${before}.${raws.join()}`;
  const isLast = n === parts.length - 1;
  return (isLast && forgetsTold.test(signs)) || (/[AEM]/.test(raw) && forgetsTalk.test(signs));
}
const denies = /^[^y]*[nlwo][^y]*$/;
function isToldBefore(
  parts: readonly Part[],
  n: number,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
): boolean {
  const { raw = "" } = parts[n] ?? {};
  const prior = parts[n - 1];
  if (prior !== undefined) return tellsBefore(prior, n) || isOfThisTalk.test(prior.raw);
  if (parts[n + 1] !== undefined) return false;
  const isDenied = before !== undefined && isDenial.test(raw);
  return isStatement(before) || isDenied || isNote(raw, before, after);
}

/** "Don't log this, I'm testing with data of a customer"; in "I see it every second" the log is meant. */
const putsNot = /^g*(?:[nlw]C[PL]|C[PL]g*[lo]|C[lo]g*[PL])g*$/;
const tellsOfSelf = /^g*s(?!.*P)/;
const isOfPrompt = ([first, next]: readonly Part[], n: number, before?: string): boolean =>
  before === undefined &&
  n === 0 &&
  putsNot.test(first?.raw ?? "") &&
  tellsOfSelf.test(next?.raw ?? "");
/** Signs of the sentence before that are looked at. */
const orderSignsMax = 60;
const ordersToForget = "(?<![nlwoN]g*)[FI](?![gPLdsu]*l)";
const between = "[^nlwoNTq]*";
const forgetsTold = new RegExp(
  String.raw`\.${between}(?:${ordersToForget}${between}(?:[ep]|Q${between}C)|[ep]${between}[FI])`,
);
const forgetsTalk = new RegExp(
  `${ordersToForget}${between}[epSP]|[epSP]${between}${ordersToForget}`,
);

/** "Kannst du dir das nicht merken?" complains; with "bitte" it asks. */
const complains = (sentence: string): boolean =>
  complaint.test(sentence) && !courtesy.test(sentence);
const complaint = new RegExp(
  String.raw`^\P{L}*(?:[\p{L}']+,? ){0,2}?(?:kannst du|merkst du|(?:ne )?peux(?:-tu| tu)? pas|no puedes` +
    String.raw`|não (?:pode|consegue)|не можешь|(?:can't|don't) (?:you|u))(?!\p{L}).*(?<!\p{L})(?:merken|erinnern` +
    String.raw`|merkst|retenir|souvenir|(?:acordar|recordar)(?:te)?(?:lo)?|lembrar|запомнить|вспомнить|запоминать` +
    String.raw`|remember)(?!\p{L}).*[?？]\s*$|^\P{L}*merkst du.*[?？]\s*$`,
  "iu",
);
const courtesy =
  /(?<!\p{L})(?:please|pls|bitte|s'il te pla[iî]t|stp|svp|por favor|porfa|пожалуйста)(?!\p{L})/iu;

/** "It's dead code", without the article of "it's the door code"; "das sind 2 GB". */
const saysCode = ({ raw, text }: Part): boolean =>
  bytes.test(text) || (/^(?:P|[Lx]?z)z?[xu]{0,2}Tx?$/.test(raw) && bareCode.test(text));
const bytes = /\d\s?(?:[kmgt]i?[bo]|[кмгт]б|bytes?)(?![\p{sc=Latin}\p{sc=Cyrillic}\p{N}])/iu;
const bareCode = /(?<!\p{L})(?:code|(?:du code|código)(?: \p{Ll}+)?)\W*$/iu;

/** "How do I tell Kim? Don't note it down, please": a denied verb of memory alone tells of whatever stands before. */
const isDenial = /^g*(?:[nlw][AE]|[AE]l)g*$/;

/** "What does Kim earn? Don't save, please" at the end of a prompt; with files it would be an order of the work. */
const isNote = (raw: string, before: string | undefined, after: string | undefined): boolean =>
  after === undefined &&
  before !== undefined &&
  /^g*(?:[nlw]B|B[lo])g*$/.test(raw) &&
  isQuestion(before) &&
  !asksForWork(before) &&
  !isOfWork(before);

/** "The following is for this conversation only, do not save": what is told, and nothing of the work. */
const isOfThisTalk = /^[^Tqc]*(?:P|Q[^Tq]*e)[^Tqc]*PS[^T]*$/;

/** "Backups, which are old, are not to be kept": a clause in passing tells nothing. */
const tellsBefore = ({ raw, text }: Part, n: number): boolean =>
  isStatement(text) && !(n > 1 && /^[dQh]/.test(raw));

const isStatement = (said: string | undefined): boolean =>
  said !== undefined && said.trim() !== "" && !isQuestion(said) && !asksForWork(said);

// The text.

/** Sentences looked at: as many at the beginning of a longer text as at its end. */
const sentencesMax = 200;
/** Words of others, as the reader masks them. */
const quotedLetters = /q(?:q*\s)+q+/gu;

/** A line, or beginning and end of a long one. */
const endsOf = (line: string): string =>
  line.length <= lineCharsMax
    ? line
    : `${line.slice(0, lineCharsMax / 2)}. ${line.slice(-lineCharsMax / 2)}`;

/** Prompts whose answer is kept: each is asked about several times. */
const promptsKept = 16;

/** True when one of the sentences forbids to remember what it points at. */
export const forbidsMemory: (typed: string) => boolean = memoised(isForbiddenIn, promptsKept);

function isForbiddenIn(typed: string): boolean {
  const said = typed.replaceAll("’", "'").replaceAll(quotedLetters, ",");
  const lines = said.split("\n").map((line) => endsOf(line.trim()));
  const ends = lines.slice(0, sentencesMax).concat(lines.slice(sentencesMax).slice(-sentencesMax));
  const sentences = ends.flatMap((line) => hardSplit(line));
  return sentences.some((sentence, n) => {
    if (n >= sentencesMax / 2 && n < sentences.length - sentencesMax / 2) return false;
    if (complains(sentence)) return false;
    return clausesOf(sentence, sentences[n - 1], sentences[n + 1]).some(forbids);
  });
}
