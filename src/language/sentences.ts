/**
 * The typed words of a prompt, or an answer, as sentences. Every sentence is a verbatim span. Linear in the text; knows
 * nothing of what is worth remembering, and nothing of who wrote the text: callers hand over what was typed (#reader).
 */

export interface Sentence {
  /** Verbatim span, trimmed. */
  readonly text: string;
  readonly isQuestion: boolean;
  /** True when only a comma, a dash or a conjunction stood before it: it belongs to the sentence before. */
  readonly isTail: boolean;
}

/** Sentences considered per text; of more, the first and the last. */
const sentencesMax = 80;

/** The sentences of a text, in order. */
export function sentencesOf(text: string): readonly Sentence[] {
  const pieces = proseOf(text)
    .flatMap((block) => joinWrapped(block))
    .flatMap((line) => splitLine(line));
  const kept =
    pieces.length <= sentencesMax
      ? pieces
      : [...pieces.slice(0, sentencesMax / 2), ...pieces.slice(-sentencesMax / 2)];
  return kept.map(({ text: said, isTail }) => ({
    text: said,
    isQuestion: /[?？][?!？！]*["'”’」』)\]）]*$/.test(said),
    isTail,
  }));
}

const bullet = /^\s*(?:[-*•・]|\d{1,2}[.)])\s+/;

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

/**
 * Not those of CLDR, where "go.", "prod.", "test." and "config." stand; "no." is one before a number, "min." is none
 * behind one: in chat these end sentences.
 */
const abbreviation = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:[Ee]\.g|[Ii]\.e|etc|vs|approx|resp|incl|excl|cf|ca|[Mm]rs?|Ms|[Dd]ra?|[Ss]t|fig` +
    String.raw`|dept|[Ii]nc|[Ll]td|Corp|[Jj]r|[Ss]ra?|Srta|Sres|[Pp]rofa?|Mme|Mlle|Hrn?|Uds?|bzw|usw|[Nn]r|[Vv]gl` +
    String.raw`|[Ll]t|zzgl|inkl|exkl|[Gg]gf|[Ee]vtl|sog|bspw|Mio|Mrd|Tsd|[Aa]prox|[Ee]nv|p\. ?(?:ej|ex)|par ex` +
    String.raw`|[Нн]апр|млн|млрд|тыс|\p{Lu}|\p{L}\. ?\p{L})\.$`,
  "u",
);
const beforeNumber =
  /(?<![\p{L}\p{N}])(?:no|n[ºo°]|núm|num|mind?|max|art|abs|kap|pp?|vol|sec|стр|рис|п|гл)\.$/iu;
/** "no. 4", and the first letter of "z. B.". */
const isBefore = (head: string, rest: string): boolean =>
  (beforeNumber.test(head) && /^\s*\d/u.test(rest)) ||
  (/(?<![\p{L}\p{N}])\p{L}\.$/u.test(head) && /^ ?(?:\p{L}|ej|ex)\.(?!\p{L})/u.test(rest));

/** "am 3. März", "bis zum 20. Mai", "bis 20.5.": no end of a sentence. */
const isOrdinal = (head: string): boolean =>
  /(?<!\p{L})(?:am|vom|zum|bis|ab|der|dem|den|des|seit|dne|до|с|по|к) \d{1,2}\.(?:\d{1,2}\.)?$/iu.test(
    head,
  );

/** The ends of sentences without a full stop: dashes, semicolons, "oh and", ", also", ", btw". */
const softBoundary = new RegExp(
  [
    String.raw`\s+(?:--?|–|—)\s+`,
    String.raw`;\s+`,
    String.raw`,?\s+(?=(?:[Oo]h,? (?:and|also|btw|by the way)|[Aa]nd also|and btw|also,? btw|by the way,? )\b)`,
    String.raw`,\s+(?=(?:btw|also|plus|but also|(?:please |pls )?remember|don'?t forget)\b)`,
    String.raw`,?\s+(?=[¿¡])`,
    String.raw`,\s+(?=\p{Lu}\p{Ll}{1,20} \((?:our|the|my|he|she|they|from|in)\b)`,
  ].join("|"),
  "gu",
);

interface Piece {
  readonly text: string;
  readonly isTail: boolean;
}

function splitLine(line: string): readonly Piece[] {
  return hardSplit(line).flatMap((sentence) => softSplit(sentence));
}

/**
 * Marks of Chinese and Japanese, and ASCII ones between their letters, need no blank behind them; in a line, " 2) "
 * begins an item.
 */
const sentenceEnd = new RegExp(
  String.raw`[.!?…]+["')\]]*(?=\s|$)|(?<=[\u3040-\u30ff\u3400-\u9fff])[!?]+(?=[\u3040-\u30ff\u3400-\u9fff])` +
    String.raw`|[。！？]+[”’」』）]*|(?<=\S)(?=\s+[2-9]\)\s)`,
  "g",
);

/** Splits a line at full stops, exclamation and question marks that end a sentence, outside brackets. */
export function hardSplit(line: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const match of line.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length;
    const head = line.slice(from, end);
    if (isOrdinal(head)) continue;
    if (abbreviation.test(head) && !/\b[iI]\.$/.test(head)) continue;
    if (isBefore(head, line.slice(end, end + numberCharsMax))) continue;
    if (openBrackets(head) > 0) continue;
    if (head.trim() !== "") found.push(head.trim());
    from = end;
  }
  const rest = line.slice(from).trim();
  if (rest !== "") found.push(rest);
  return found;
}

const numberCharsMax = 6;

const openBrackets = (text: string): number => {
  let open = 0;
  for (const char of text) {
    if (char === "(" || char === "[" || char === "（") open += 1;
    else if ((char === ")" || char === "]" || char === "）") && open > 0) open -= 1;
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

// The prose of a text that is the writer's own: its lines without code fences, tables and quotations. What was pasted
// into a prompt is gone by now (#reader); an answer is markdown and holds nothing else that is not prose. Linear,
// pure.

const tableRow = /^\s*\|.*\|\s*$/;
const quotation = /^\s*[>›»]/;

/** Paragraphs of a text, each as its lines. */
const proseOf = (text: string): readonly (readonly string[])[] =>
  withoutFences(text)
    .split(/\n[ \t]*\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "" && !tableRow.test(line) && !quotation.test(line)),
    )
    .filter((block) => block.length > 0);

/** An unclosed fence goes to the end. */
const withoutFences = (text: string): string =>
  text
    .split(/^[ \t]*(?:```|~~~).*$/m)
    .filter((_, n) => n % 2 === 0)
    .join("\n\n");
