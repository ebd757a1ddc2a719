/**
 * Counts the secrets that the gate hides and the innocent texts that it leaves alone, over tables of invented
 * examples. A part of each table was laid aside while the rules were written.
 */
import { expect, test } from "bun:test";
import { stripInvisible } from "#kit";
import { knownSecrets } from "./formats.known.fixtures.ts";
import { laterInnocent, laterSecrets } from "./formats.later.fixtures.ts";
import { plainInnocent, plainSecrets } from "./formats.plain.fixtures.ts";
import { proseSecrets } from "./formats.prose.fixtures.ts";
import { unseenSecrets } from "./formats.unseen.fixtures.ts";
import { createGate } from "./gate.ts";
import { knownInnocent } from "./innocent.known.fixtures.ts";
import { proseInnocent } from "./innocent.prose.fixtures.ts";
import { unseenInnocent } from "./innocent.unseen.fixtures.ts";
import { mayHoldSecret } from "./light.ts";

const gate = createGate({ redact: [] });

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = upper.toLowerCase();
const digits = "0123456789";

/** What `%A36` is made of: the letter names the alphabet, the number says how many. */
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

test("of at least 150 formats 97 % are hidden, in each part of the table", () => {
  expect(new Set([...knownSecrets, ...unseenSecrets]).size).toBeGreaterThanOrEqual(150);
  const shares: number[] = [];
  for (const [half, rows] of [
    ["known", knownSecrets],
    ["unseen", unseenSecrets],
    ["later", laterSecrets],
    ["prose", proseSecrets],
    ["plain", plainSecrets],
  ] as const) {
    const leaking = rows.filter(leaks);
    const hidden = rows.length - leaking.length;
    console.log(
      `secrets, ${half}: ${hidden} of ${rows.length} hidden (${share(hidden, rows.length)})`,
    );
    shares.push(hidden / rows.length);
  }
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.97);
});

test("of at least 200 innocent texts at most 1 % are changed, in each part of the table", () => {
  expect(new Set([...knownInnocent, ...unseenInnocent]).size).toBeGreaterThanOrEqual(200);
  const shares: number[] = [];
  for (const [half, rows] of [
    ["known", knownInnocent],
    ["unseen", unseenInnocent],
    ["later", laterInnocent],
    ["prose", proseInnocent],
    ["plain", plainInnocent],
  ] as const) {
    const changed = rows.filter(isChanged);
    console.log(
      `innocent, ${half}: ${changed.length} of ${rows.length} changed (${share(changed.length, rows.length)})`,
    );
    shares.push(changed.length / rows.length);
  }
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.01);
});

test("a hook that looks for literals only never misses a text that the gate would change", () => {
  const missed = [
    ...knownSecrets,
    ...unseenSecrets,
    ...laterSecrets,
    ...proseSecrets,
    ...plainSecrets,
  ]
    .map((row) => written(row).replaceAll(/[«»]/g, ""))
    .filter((text) => gate.clean(text).redactions > 0 && !mayHoldSecret(text));
  expect(missed.length).toBe(0);
});
