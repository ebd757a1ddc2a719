/**
 * Turns a text into ids as a `tokenizer.json` says, for the two kinds that encoders of sentences have: WordPiece behind
 * BERT's normalisation, and Unigram behind SentencePiece's. Special tokens written in a text are plain text here: a
 * memory must not be able to end itself.
 */
import { err, ok, type Result } from "#kit";
import { createCharsmap } from "./charsmap.ts";
import { createUnigram } from "./unigram.ts";
import { bertNormalise, bertWords, wordPieces } from "./wordpiece.ts";

export interface Tokenizer {
  /** The ids of a text with what stands before and behind it, at most `most` in all: the text's end is cut. */
  readonly ids: (text: string, most: number) => readonly number[];
  /** One more than the largest id. */
  readonly size: number;
}

type Json = Readonly<Record<string, unknown>>;
type Pieces = (text: string) => readonly number[];

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const part = (of: unknown, name: string): Json => {
  const found = isJson(of) ? of[name] : null;
  return isJson(found) ? found : {};
};
const list = (of: unknown, name: string): readonly unknown[] => {
  const found = isJson(of) ? of[name] : null;
  return Array.isArray(found) ? found : [];
};

/** A text longer than this many characters for each token is cut before it is looked at: no vocabulary needs more. */
const charsForToken = 40;

/** Error: in words, what of it is not known. */
export function createTokenizer(told: unknown): Result<Tokenizer, string> {
  const model = part(told, "model");
  const type = model["type"] ?? (isJson(model["vocab"]) ? "WordPiece" : null);
  const made =
    type === "WordPiece" ? wordPieceOf(told) : type === "Unigram" ? unigramOf(told) : null;
  if (made === null)
    return err(`its tokenizer is ${JSON.stringify(type)}; only WordPiece and Unigram are known`);
  if (!made.ok) return made;
  const { pieces, idOf, size } = made.value;
  const around = aroundOf(part(told, "post_processor"), idOf);
  if (around === null) return err("its tokenizer puts unknown tokens around a text");
  const { before, behind } = around;
  return ok({
    size,
    ids: (text, most) => {
      const inside = pieces(text.slice(0, most * charsForToken).toWellFormed());
      return [...before, ...inside.slice(0, most - before.length - behind.length), ...behind];
    },
  });
}

interface Made {
  readonly pieces: Pieces;
  readonly idOf: (token: string) => number | undefined;
  readonly size: number;
}

function wordPieceOf(told: unknown): Result<Made, string> {
  const model = part(told, "model");
  const ids = new Map<string, number>();
  for (const [piece, id] of Object.entries(part(model, "vocab")))
    if (typeof id === "number") ids.set(piece, id);
  const unknown = ids.get(textOf(model["unk_token"]) ?? "[UNK]");
  if (unknown === undefined) return err("its tokenizer has no token for what is unknown");
  const normal = part(told, "normalizer");
  const split = part(told, "pre_tokenizer")["type"];
  if (normal["type"] !== "BertNormalizer" || split !== "BertPreTokenizer")
    return err("its tokenizer does not normalise as BERT's do");
  const lowerCase = normal["lowercase"] !== false;
  const settings = {
    cleanText: normal["clean_text"] !== false,
    spaceIdeographs: normal["handle_chinese_chars"] !== false,
    stripAccents:
      typeof normal["strip_accents"] === "boolean" ? normal["strip_accents"] : lowerCase,
    lowerCase,
  };
  const most = model["max_input_chars_per_word"];
  const vocabulary = {
    ids,
    unknown,
    continuing: textOf(model["continuing_subword_prefix"]) ?? "##",
    wordCharsMax: typeof most === "number" ? most : 100,
  };
  return ok({
    pieces: (text) =>
      bertWords(bertNormalise(text, settings)).flatMap((word) => wordPieces(word, vocabulary)),
    idOf: (token) => ids.get(token),
    size: sizeOf(ids),
  });
}

function unigramOf(told: unknown): Result<Made, string> {
  const model = part(told, "model");
  const vocabulary = list(model, "vocab");
  const unknown = model["unk_id"];
  if (typeof unknown !== "number" || vocabulary.length === 0)
    return err("its tokenizer has no token for what is unknown");
  const ids = new Map<string, number>();
  const scores = new Float64Array(vocabulary.length);
  for (const [id, entry] of vocabulary.entries()) {
    const [piece, score] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof piece !== "string" || typeof score !== "number")
      return err("its tokenizer has a vocabulary that cannot be read");
    ids.set(piece, id);
    scores[id] = score;
  }
  const normalise = normaliserOf(told);
  if (!normalise.ok) return normalise;
  const words = metaspaceOf(part(told, "pre_tokenizer"));
  if (words === null) return err("its tokenizer does not split as SentencePiece's do");
  const unigram = createUnigram({ ids, scores, unknown });
  return ok({
    pieces: (text) => words(normalise.value(text)).flatMap(unigram),
    idOf: (token) => ids.get(token) ?? addedId(told, token),
    size: sizeOf(ids),
  });
}

const sizeOf = (ids: ReadonlyMap<string, number>): number => {
  let most = 0;
  for (const id of ids.values()) most = Math.max(most, id);
  return most + 1;
};

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

function addedId(told: unknown, token: string): number | undefined {
  const found = list(told, "added_tokens").find((one) => isJson(one) && one["content"] === token);
  const id = isJson(found) ? found["id"] : null;
  return typeof id === "number" ? id : undefined;
}

type Change = (text: string) => string;

/** Each step of the normaliser, one behind the other. */
function normaliserOf(told: unknown): Result<Change, string> {
  const changes: Change[] = [];
  for (const step of stepsOf(part(told, "normalizer"), "normalizers")) {
    const change = changeOf(step);
    if (change === null)
      return err(`its tokenizer has an unknown step: ${JSON.stringify(step["type"])}`);
    changes.push(change);
  }
  return ok((text) => changes.reduce((done, change) => change(done), text));
}

const stepsOf = (told: Json, inside: string): readonly Json[] => {
  if (told["type"] === undefined) return [];
  return told["type"] === "Sequence" ? list(told, inside).filter(isJson) : [told];
};

/** Null for a step that is not known. */
function changeOf(step: Json): Change | null {
  switch (step["type"]) {
    case "Precompiled":
      return createCharsmap(textOf(step["precompiled_charsmap"]) ?? "");
    case "NFKC":
      return (text) => text.normalize("NFKC");
    case "NFC":
      return (text) => text.normalize("NFC");
    case "Lowercase":
      return (text) => text.toLowerCase();
    case "Strip":
      return (text) => text.trim();
    case "Replace":
      return replaceOf(part(step, "pattern"), textOf(step["content"]) ?? "");
    default:
      return null;
  }
}

function replaceOf(pattern: Json, by: string): Change | null {
  const plain = textOf(pattern["String"]);
  if (plain !== null) return (text) => text.replaceAll(plain, () => by);
  // The only pattern in use: one space for many.
  return pattern["Regex"] === " {2,}" ? (text) => text.replace(/ {2,}/g, () => by) : null;
}

/** Words with a mark in front of each, as SentencePiece writes spaces; null for what splits otherwise. */
function metaspaceOf(told: Json): ((text: string) => readonly string[]) | null {
  const steps = stepsOf(told, "pretokenizers");
  const metaspace = steps.find((step) => step["type"] === "Metaspace");
  const isKnown = steps.every(({ type }) => type === "Metaspace" || type === "WhitespaceSplit");
  if (metaspace === undefined || !isKnown) return null;
  const mark = textOf(metaspace["replacement"]) ?? "▁";
  const hasFirst =
    metaspace["add_prefix_space"] !== false && metaspace["prepend_scheme"] !== "never";
  const marked = (text: string): string => {
    const spaced = text.replaceAll(" ", mark);
    return hasFirst && !spaced.startsWith(mark) ? mark + spaced : spaced;
  };
  return steps.length > 1
    ? (text) =>
        text
          .split(/\s+/u)
          .filter((word) => word !== "")
          .map(marked)
    : (text) =>
        text === ""
          ? []
          : [marked(text)].flatMap((all) => all.split(new RegExp(`(?=${mark})`, "u")));
}

interface Around {
  readonly before: readonly number[];
  readonly behind: readonly number[];
}

/** What stands around one text; null when it names a token that is not there. */
function aroundOf(told: Json, idOf: Made["idOf"]): Around | null {
  if (told["type"] === "TemplateProcessing") return templateOf(told, idOf);
  const pair = (name: string): number => {
    const [, id] = list(told, name);
    return typeof id === "number" ? id : -1;
  };
  if (told["type"] !== "BertProcessing" && told["type"] !== "RobertaProcessing") return null;
  const [before, behind] = [pair("cls"), pair("sep")];
  return before < 0 || behind < 0 ? null : { before: [before], behind: [behind] };
}

function templateOf(told: Json, idOf: Made["idOf"]): Around | null {
  const before: number[] = [];
  const behind: number[] = [];
  let side = before;
  for (const step of list(told, "single")) {
    if (isJson(step) && "Sequence" in step) {
      side = behind;
      continue;
    }
    const name = textOf(part(step, "SpecialToken")["id"]) ?? "";
    const ids = list(part(part(told, "special_tokens"), name), "ids");
    const id = typeof ids[0] === "number" ? ids[0] : idOf(name);
    if (id === undefined) return null;
    side.push(id);
  }
  return { before, behind };
}
