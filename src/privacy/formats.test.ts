/**
 * Counts the secrets that the gate hides and the innocent texts that it leaves alone, over tables of invented
 * examples. A part of each table was laid aside while the rules were written.
 */
import { expect, test } from "bun:test";
import { stripInvisible } from "#kit";
import formats from "./formats.json";
import { createGate } from "./gate.ts";
import { mayHoldSecret } from "./light.ts";

const gate = createGate({ redact: [] });

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = upper.toLowerCase();
const digits = "0123456789";

/** The alphabets of `%A36`: the letter names the alphabet, the number says how many. */
const alphabets: Readonly<Record<string, string>> = {
  A: upper + lower + digits,
  B: `${upper}${lower}${digits}+/`,
  U: upper + digits,
  a: lower + digits,
  d: "123456789",
  h: `${digits}abcdef`,
  // Base58 and base32.
  W: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  S: `${upper}234567`,
};

const encode = (text: string, encoding: string): string =>
  Buffer.from(text).toString(encoding === "hex" ? "hex" : "base64");

/** The same row gives the same text. */
function written(row: string): string {
  let seed = Bun.hash.crc32(row);
  const draw = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const random = (letter: string, count: number): string =>
    Array.from({ length: count }, () => {
      const letters = alphabets[letter] ?? "";
      return letters[draw(letters.length)];
    }).join("");
  const uuid = (): string => [8, 4, 4, 4, 12].map((count) => random("h", count)).join("-");
  return row
    .replaceAll(/%u(?![a-z0-9])/g, uuid)
    .replaceAll(/%([ABUadhWS])(\d+)/g, (_, letter: string, count: string) =>
      random(letter, Number(count)),
    )
    .replaceAll(/(b64|hex)\(([^)«»]*)\)/g, (_, encoding: string, text: string) =>
      encode(text, encoding),
    );
}

/** A secret has leaked when so many of its characters in a row are left. */
const pieceChars = 8;

function leaks(row: string): boolean {
  const marked = written(row);
  const text = marked.replaceAll(/[«»]/g, "");
  const left = stripInvisible(gate.clean(text).text);
  return [...marked.matchAll(/«([^»]*)»/g)].some(({ 1: secret = "" }) => {
    const bare = stripInvisible(secret);
    const size = Math.min(pieceChars, bare.length);
    return Array.from({ length: bare.length - size + 1 }, (_, at) =>
      bare.slice(at, at + size),
    ).some((piece) => left.includes(piece));
  });
}

const isChanged = (row: string): boolean => {
  const text = written(row);
  return gate.clean(text).text !== text;
};

const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

/** Shares of the rows of each part of a table that pass a test, printed. */
const sharesOf = (
  name: string,
  table: Readonly<Record<string, readonly string[]>>,
  passes: (row: string) => boolean,
): readonly number[] =>
  Object.entries(table).map(([part, rows]) => {
    const passed = rows.filter(passes).length;
    console.log(`${name}, ${part}: ${passed} of ${rows.length} (${share(passed, rows.length)})`);
    return passed / rows.length;
  });

test("of at least 150 formats 97 % are hidden, in each part of the table", () => {
  const { known, unseen } = formats.secrets;
  expect(new Set([...known, ...unseen]).size).toBeGreaterThanOrEqual(150);
  const shares = sharesOf("hidden secrets", formats.secrets, (row) => !leaks(row));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.97);
});

test("of at least 200 innocent texts at most 1 % are changed, in each part of the table", () => {
  const { known, unseen } = formats.innocent;
  expect(new Set([...known, ...unseen]).size).toBeGreaterThanOrEqual(200);
  const shares = sharesOf("changed innocents", formats.innocent, isChanged);
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.01);
});

test("a hook that looks for literals only never misses a text that the gate would change", () => {
  const missed = Object.values(formats.secrets)
    .flat()
    .map((row) => written(row).replaceAll(/[«»]/g, ""))
    .filter((text) => gate.clean(text).redactions > 0 && !mayHoldSecret(text));
  expect(missed).toEqual([]);
});
