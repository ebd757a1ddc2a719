import { expect, test } from "bun:test";
import { createTokenizer } from "./tokenizer.ts";
import { wordPieceJson } from "./tiny-model.fixtures.ts";

function idsOf(told: unknown, text: string, most = 64): readonly number[] {
  const made = createTokenizer(told);
  if (!made.ok) throw new Error(made.error);
  return made.value.ids(text, most);
}

test.each([
  ["The CAFÉ", [4, 6], "case and accents go"],
  ["unbelievables", [7, 8, 9, 10], "the longest pieces first"],
  ["the 日本!", [4, 12, 13, 15], "ideographs and marks are words of their own"],
  ["$x,x", [18, 19, 14, 19], "so are symbols of ASCII"],
  ["the zebra runs", [4, 1, 11, 10], "a word without pieces is unknown as a whole"],
  ["straße", [16], "a sharp s is no accent"],
  [`the ${"x".repeat(21)} the`, [4, 1, 4], "a word beyond the limit is unknown"],
  ["the\u0000\u200B \u00A0the\n", [4, 4], "controls go, spaces divide"],
  ["the the\u0E7E", [4, 1], "what Unicode has not assigned is no control"],
  ["[SEP] the", [1, 1, 1, 4], "a special token in a text is text"],
  ["", [], "nothing"],
])("WordPiece cuts %p into %p: %s", (text, inside) => {
  expect(idsOf(wordPieceJson, text)).toEqual([2, ...inside, 3]);
});

test("a text is cut to what fits, and its end stays marked", () => {
  expect(idsOf(wordPieceJson, "the run the run the", 4)).toEqual([2, 4, 11, 3]);
  expect(idsOf(wordPieceJson, "the ".repeat(2_000_000), 8)).toHaveLength(8);
});

const vocabulary: readonly (readonly [string, number])[] = [
  ["<s>", 0],
  ["<pad>", 0],
  ["</s>", 0],
  ["<unk>", 0],
  ["▁", -3],
  ["▁hello", -4],
  ["▁he", -3],
  ["llo", -3],
  ["l", -5],
  ["o", -5],
  ["▁wor", -4],
  ["ld", -4],
  ["▁world", -9],
  ["é", -5],
  ["fi", -4],
  ["日本", -4],
  ["😀", -6],
];

const unigramJson = (changes: object = {}) => ({
  added_tokens: [{ id: 17, content: "<mask>" }],
  normalizer: { type: "NFKC" },
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "WhitespaceSplit" },
      { type: "Metaspace", replacement: "▁", add_prefix_space: true },
    ],
  },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "<s>" } },
      { Sequence: { id: "A" } },
      { SpecialToken: { id: "</s>" } },
    ],
    special_tokens: { "<s>": { ids: [0] }, "</s>": { ids: [2] } },
  },
  model: { type: "Unigram", unk_id: 3, vocab: vocabulary },
  ...changes,
});

test.each([
  ["hello", [5], "one piece (-4) before two (-6)"],
  ["world", [10, 11], "two pieces (-8) before one (-9)"],
  ["  hello \t world ", [5, 10, 11], "spaces divide and count once"],
  ["ﬁ", [4, 14], "compatibility forms are normalised"],
  ["e\u0301", [4, 13], "so are accents that stand apart"],
  ["日本", [4, 15], "no space is needed"],
  ["hello zz", [5, 4, 3], "unknown characters in a row are one"],
  ["😀q", [4, 16, 3], "a pair of surrogates is one character"],
  ["\uD83D", [4, 3], "half a pair is unknown, and no fault"],
])("Unigram cuts %p into %p: %s", (text, inside) => {
  expect(idsOf(unigramJson(), text)).toEqual([0, ...inside, 2]);
});

test("Unigram cuts a very long word in time, and to what fits", () => {
  expect(idsOf(unigramJson(), "z".repeat(2_000_000), 16)).toEqual([0, 4, 3, 2]);
  expect(idsOf(unigramJson(), "l".repeat(2_000_000), 16)).toHaveLength(16);
});

/** A double array by hand: "Ａ" (EF BC A1) becomes "a", as SentencePiece's table would say. */
function charsmap(): string {
  const units = new Uint32Array(1_024);
  const bytes = [0xef, 0xbc, 0xa1];
  const bases = [0, 256, 512, 768];
  units[0] = 0;
  let at = 0;
  for (const [i, byte] of bytes.entries()) {
    at ^= byte;
    const next = bases[i + 1] ?? 0;
    const isLast = i === bytes.length - 1;
    // Offsets are relative: the place of the children, exclusive-or the own place.
    units[at] = byte | (((at ^ next) << 10) >>> 0) | (isLast ? 0x100 : 0);
    at = next;
  }
  units[at] = 0x80_00_00_00;
  const head = Buffer.alloc(4);
  head.writeUInt32LE(units.byteLength);
  return Buffer.concat([head, Buffer.from(units.buffer), Buffer.from("llo\0")]).toString("base64");
}

test("a table of replacements that the tokenizer brings is followed", () => {
  const normalizer = {
    type: "Sequence",
    normalizers: [
      { type: "Precompiled", precompiled_charsmap: charsmap() },
      { type: "Replace", pattern: { Regex: " {2,}" }, content: " " },
    ],
  };
  expect(idsOf(unigramJson({ normalizer }), "heＡ")).toEqual([0, 5, 2]);
  expect(idsOf(unigramJson({ normalizer }), "heＢ")).toEqual([0, 6, 3, 2]);
});

test.each([
  [{ model: { type: "BPE", vocab: {} } }, 'its tokenizer is "BPE"'],
  [{ normalizer: { type: "Precompiled", precompiled_charsmap: "AAAA" } }, "an unknown step"],
  [{ normalizer: { type: "Nmt" } }, "an unknown step"],
  [{ pre_tokenizer: { type: "ByteLevel" } }, "does not split as"],
  [{ post_processor: null }, "unknown tokens around"],
  [{ model: { type: "Unigram", unk_id: 3, vocab: ["x"] } }, "a vocabulary that cannot be read"],
])("a tokenizer of another kind is refused: %p", (change, reason) => {
  expect(createTokenizer(unigramJson(change))).toMatchObject({
    ok: false,
    error: expect.stringContaining(reason),
  });
});

test("no JSON at all is refused", () => {
  for (const told of [null, 1, "x", []]) expect(createTokenizer(told).ok).toBe(false);
});
