/**
 * A prompt or an answer as sentences that somebody wrote for this conversation: without code, quotations, logs,
 * stack traces, mails and other pasted text. Every sentence is a verbatim span. Linear in the text; knows nothing
 * of what is worth remembering.
 */

export interface Sentence {
  /** Verbatim span, trimmed. */
  readonly text: string;
  readonly isQuestion: boolean;
  /** True when only a comma, a dash or a conjunction stood before it: it belongs to the sentence before. */
  readonly isTail: boolean;
}

/** A typed message is shorter than this; of a longer one only the head and the tail were typed. */
const typedCharsMax = 6_000;
const typedEndChars = 2_500;
/** A line longer than this was not typed. */
const lineCharsMax = 2_000;
/** Sentences considered per text; of more, the first and the last. */
const sentencesMax = 80;

/** The sentences of a text, in order. */
export function sentencesOf(text: string): readonly Sentence[] {
  const pieces = typedLines(ends(withoutFences(text))).flatMap((line) => splitLine(line));
  const kept =
    pieces.length <= sentencesMax
      ? pieces
      : [...pieces.slice(0, sentencesMax / 2), ...pieces.slice(-sentencesMax / 2)];
  return kept.map(({ text: said, isTail }) => ({
    text: said,
    isQuestion: /\?[?!]*["')\]]*$/.test(said),
    isTail,
  }));
}

const ends = (text: string): string =>
  text.length <= typedCharsMax
    ? text
    : `${wholeLines(text.slice(0, typedEndChars), "head")}\n\n${wholeLines(text.slice(-typedEndChars), "tail")}`;

/** A cut line is half a sentence: leave it out. */
const wholeLines = (part: string, side: "head" | "tail"): string => {
  const at = side === "head" ? part.lastIndexOf("\n") : part.indexOf("\n");
  if (at < 0) return part;
  return side === "head" ? part.slice(0, at) : part.slice(at + 1);
};

const logLine =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d{1,2}:\d\d:\d\d|\[(?:error|warn|warning|info|debug|trace)\]|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|FAIL|PASS|NOTICE)\b|(?:error|warn|warning|info|debug|trace|fatal)\s?[:\]|]|(?:npm|pnpm|yarn) (?:err|ERR|warn|WARN)|[EWI]\/)/;
const traceLine =
  /^\s*(?:at .{1,200}[:(]\d|File ".{1,200}", line \d|Traceback \(most|Caused by:|\.{3} \d+ more|panic: |goroutine \d|thread '|Thread \d+|#\d+ +0x|\w+(?:Error|Exception)(?::|$)|\s+\^+\s*$|Fatal error: )/;
const codeLine =
  /^\s*(?:[{}[\]();,]+\s*$|["'][\w.-]{1,60}["']\s*:|(?:import|export|const|let|var|function|class|def|return|public|private|#include|package|using|from)\b.{0,200}[;{(=:]\s*$|<\/?[a-z][\w-]{0,30}[\s>/]|@@ |diff --git|[+-]{3} [ab]\/|index [0-9a-f]{7}|[$%] \w|\|.{0,300}\|\s*$|[A-Z_]{3,40}=\S)/;
const mailHeader = /^\s*(?:from|to|cc|bcc|subject|sent|date|reply-to|message-id):\s/i;
const quotedLine = /^\s*(?:>|›|»)/;
/** From here to the end somebody else is speaking. */
const otherVoice =
  /^\s*(?:-{2,} ?(?:original message|forwarded message|begin|transcript)|on .{4,80} wrote:\s*$|(?:hi|hello|dear|hey) (?:all|team|everyone|everybody|folks|colleagues|\p{Lu}\p{L}{1,20}),?\s*$)/iu;
/** An announcement of pasted text: what follows is not the writer's own. */
const announcesVoice =
  /\b(?:mail|email|message|letter|ticket|issue|comment|slack|thread|doc|docs|readme|article|post|spec|transcript|notes|changelog|review|template|prompt)\b[^.?!]{0,60}:\s*$/i;
const announcesOutput =
  /\b(?:log|logs|output|error|errors|trace|stacktrace|stack|says|prints|console|terminal|response|diff|snippet|code|file|json|yaml|result|results|dump)\b[^.?!]{0,40}:\s*$/i;

/** The lines that were typed for this message. A hard-wrapped line is joined with the next. */
function typedLines(text: string): readonly string[] {
  const kept: string[] = [];
  for (const block of blocksOf(text)) {
    if (block.some((line) => otherVoice.test(line)) && block.length + kept.length > 1) {
      kept.push(...typedUntil(block, otherVoice));
      return kept;
    }
    const intro = block.findIndex((line) => announcesVoice.test(line));
    if (intro >= 0 && (block.length > intro + 1 || intro === block.length - 1)) {
      kept.push(...joinWrapped(block.slice(0, intro + 1)));
      // A whole message follows, in as many paragraphs as it likes.
      if (hasMoreAfter(text, block[intro] ?? "")) return kept;
      continue;
    }
    kept.push(...joinWrapped(typedOfBlock(block)));
  }
  return kept;
}

const hasMoreAfter = (text: string, line: string): boolean =>
  text.slice(text.indexOf(line) + line.length).trim() !== "";

const typedUntil = (block: readonly string[], stop: RegExp): readonly string[] =>
  joinWrapped(
    block.slice(
      0,
      block.findIndex((line) => stop.test(line)),
    ),
  );

/** Leaves out what looks pasted; a block that is mostly pasted goes as a whole. */
function typedOfBlock(block: readonly string[]): readonly string[] {
  const output = block.findIndex((line) => announcesOutput.test(line));
  const own = output >= 0 && block.length > output + 1 ? block.slice(0, output + 1) : block;
  const typed = own.filter((line) => !isPasted(line));
  return typed.length * 5 >= own.length * 3 ? typed : [];
}

const isPasted = (line: string): boolean =>
  line.length > lineCharsMax ||
  quotedLine.test(line) ||
  logLine.test(line) ||
  traceLine.test(line) ||
  codeLine.test(line) ||
  mailHeader.test(line) ||
  /^(?: {4}|\t)\S/.test(line);

const blocksOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(/\n[ \t]*\n/)
    .map((block) => block.split("\n").filter((line) => line.trim() !== ""))
    .filter((block) => block.length > 0);

/** Fenced code, an unclosed fence to the end, and markup comments. */
function withoutFences(text: string): string {
  const parts = text.split(/^[ \t]*(?:```|~~~).*$/m);
  return parts.filter((_, n) => n % 2 === 0).join("\n\n");
}

const bullet = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

/** Joins hard-wrapped lines: a long line without a stop, followed by one that starts in lower case. */
function joinWrapped(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const continues =
      last !== undefined &&
      last.length > 60 &&
      !/[.!?:;]\s*$/.test(last) &&
      /^\s*[\p{Ll}(]/u.test(line);
    if (continues) joined[joined.length - 1] = `${last}\n${line}`;
    else joined.push(line.replace(bullet, ""));
  }
  return joined;
}

/** "no." is not among them: in chat it is a sentence. */
const abbreviation =
  /(?:\b(?:[Ee]\.g|[Ii]\.e|etc|vs|approx|resp|incl|cf|ca|[Mm]rs?|[Mm]s|[Dd]r|[Ss]t|fig|dept|inc|ltd|[Jj]r|[Ss]r|[Pp]rof)|\b\p{Lu})\.$/u;

/** Where a sentence may end without a full stop: dashes, semicolons, "oh and", ", also", ", btw". */
const softBoundary =
  /\s+(?:--?|–|—)\s+|;\s+|,?\s+(?=(?:[Oo]h,? (?:and|also|btw|by the way)|[Aa]nd also|and btw|also,? btw|by the way,? )\b)|,\s+(?=(?:btw|also|plus|but also|(?:please |pls )?remember|don'?t forget)\b)|,\s+(?=\p{Lu}\p{Ll}{1,20} \((?:our|the|my|he|she|they|from|in)\b)/gu;

interface Piece {
  readonly text: string;
  readonly isTail: boolean;
}

function splitLine(line: string): readonly Piece[] {
  return hardSplit(line).flatMap((sentence) => softSplit(sentence));
}

/** Splits at full stops, exclamation and question marks that end a sentence, outside brackets. */
function hardSplit(line: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const match of line.matchAll(/[.!?…]+["')\]]*(?=\s|$)/g)) {
    const end = match.index + match[0].length;
    const head = line.slice(from, end);
    if (abbreviation.test(head) && !/\b[iI]\.$/.test(head)) continue;
    if (openBrackets(head) > 0) continue;
    if (head.trim() !== "") found.push(head.trim());
    from = end;
  }
  const rest = line.slice(from).trim();
  if (rest !== "") found.push(rest);
  return found;
}

const openBrackets = (text: string): number => {
  let open = 0;
  for (const char of text) {
    if (char === "(" || char === "[") open += 1;
    else if ((char === ")" || char === "]") && open > 0) open -= 1;
  }
  return open;
};

function softSplit(sentence: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const startsWithDash = /^(?:--?|–|—)\s/.test(sentence);
  let from = 0;
  for (const match of sentence.matchAll(softBoundary)) {
    const head = sentence.slice(from, match.index);
    if (openBrackets(head) > 0 || head.trim().length < 3) continue;
    pieces.push({ text: head.trim(), isTail: startsWithDash || pieces.length > 0 });
    from = match.index + match[0].length;
  }
  const rest = sentence.slice(from).trim();
  if (rest !== "") pieces.push({ text: rest, isTail: startsWithDash || pieces.length > 0 });
  return pieces;
}
