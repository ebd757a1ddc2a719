/** Sentences that retell what was private go; ordinary talk of later turns stays. */
import { describe, expect, test } from "bun:test";
import { standingIn } from "#daemon";
import { loadEmbeddedModel } from "#embed";
import { tellingMarksOf, tellingWordsIn } from "#kit";
import { readVoices } from "../../lab/train/voice.ts";
import { withoutRetold } from "./retold.ts";

const model = loadEmbeddedModel();
if (!model.ok) throw new Error("no model");
const vocabulary = model.value;

const against = (secret: string, known: ReadonlySet<string> = new Set()) => {
  const marks = new Set(tellingMarksOf(secret));
  const standingOf = standingIn(vocabulary, (word) => known.has(word));
  return (text: string): string =>
    withoutRetold(text, { has: (mark) => marks.has(mark), standingOf });
};

describe("retold", () => {
  test.each([
    ["ocelotcorp is leaving in May", "Since Ocelotcorp's contract ends, the logo goes."],
    ["ocelotcorp is leaving in May", "renamed `ocelotcorpId` to `customerId`"],
    ["the codename is pangolin77", "PANGOLIN77 stays out of the README."],
    ["the board of Nordwind wants it", "Nordwind is first."],
    ["ask Anna for it", "ANNA did it."],
    ["I earn 84,500 a year", "The sample row now shows 84500."],
    ["I earn 84,500 a year", "The sample row now shows 84.5k."],
    ["my salary talk with Ines is on Friday", "I moved it because of the talk with Ines."],
    [
      "my wife is pregnant, do not tell the team yet",
      "As my wife is pregnant, do not tell the team.",
    ],
    ["клиент Оцелоткорп уходит в мае", "Так как Оцелоткорп уходит, логотип убран."],
  ])("%j by %j", (secret, text) => {
    expect(against(secret)(text)).toBe("[redacted:private]");
    expect(against(secret)(`The tests pass.\n${text}\nIt is done.`)).toBe(
      "The tests pass.\n[redacted:private]\nIt is done.",
    );
  });
});

test.each([
  ["ocelotcorp is leaving in May", "The pricing page is leaving the old layout in May."],
  ["I earn 84,500 a year in 2026", "In 2026 the year view shows 1000 rows."],
  ["we leave on Friday in October", "It runs each Friday, from October on."],
  ["Die Datei der Firma liegt auf dem Server", "Die Datei ist neu."],
  ["we move from React to Vue", "The React component is memoised."],
  ["drop the logo from the pricing page", "The Pricing Page has a smaller Logo."],
])("not retold: %j by %j", (secret, text) => {
  expect(against(secret)(text)).toBe(text);
});

test("a word that is known in the open tells nothing", () => {
  expect(against("ocelotcorp is leaving", new Set(["ocelotcorp"]))("Ocelotcorp uses it.")).toBe(
    "Ocelotcorp uses it.",
  );
});

const secrets = [
  "my salary talk with Ines is on Friday, I want 95k",
  "the acquisition codename is pangolin77 and the buyer is margrave corp",
  "the client Hooli pays nothing before June",
  "Anna from payroll has burnout and is on leave until October",
  "we will lay off the whole Porto team in the second quarter",
  "Priya's visa runs out on 2027-03-14, passport X4471920",
  "the Nordwind contract is worth 1,250,000 euros",
  "the board wants to replace Tomas as CTO",
  "we failed the SOC 2 audit because of the Lisbon office",
  "wir trennen uns im Mai von der Firma Brandauer",
];

test("of the turns of invented developers after a private one none loses a sentence", () => {
  let turns = 0;
  const changed: string[] = [];
  const sessions = readVoices(`${import.meta.dir}/../../lab/train/voices`).flatMap(
    (one) => one.sessions,
  );
  for (const [n, session] of sessions.entries()) {
    const known = new Set<string>();
    const scrub = against(secrets[n % secrets.length] ?? "", known);
    for (const { prompt, answer, tools } of session.turns) {
      for (const { word } of tellingWordsIn(prompt)) known.add(word);
      changed.push(...[answer, ...tools].filter((text) => scrub(text) !== text));
      for (const { word } of tellingWordsIn(answer)) known.add(word);
      turns += 1;
    }
  }
  expect(turns).toBeGreaterThan(3_000);
  expect(changed).toEqual([]);
});

describe("a word that was private by itself", () => {
  test.each([
    ["pelican", "/work/src/pelican.ts"],
    ["pelican", "I renamed it to pelican."],
    ["pelican", "const pelicanId = 1"],
    ["harbour", "bun test harbour.test.ts"],
    ["blue heron", "git commit -m 'move to heron'"],
    ["willow", "the willow module is done"],
    ["maple", "- maple: ready"],
    ["lantern", "see lantern.md"],
    ["falcon", "import { falcon } from './x'"],
    ["orchard", "the orchard plan is in the docs"],
    ["kingfisher", "kingfisher passes"],
  ])("%s goes from %p", (secret, text) => {
    expect(against(secret)(text)).toBe("[redacted:private]");
  });
  test.each([
    ["pelican", "the tests pass"],
    ["the pelican is a bird of the coast", "the pelican file is done"],
    ["tests", "the tests pass"],
    ["the", "the tests pass"],
    ["git", "git push"],
    ["a b", "a b c"],
    ["monday", "it ends on monday"],
    ["main", "push to main"],
  ])("%s leaves %p", (secret, text) => {
    expect(against(secret, new Set(["tests", "main"]))(text)).toBe(text);
  });
});
