/** Typed words that end a memory of the user, and others that only mention it. */
import { describe, expect, test } from "bun:test";
import { endsMemory, type Ending } from "./ending.ts";

const port = { line: "The staging database listens on port 6432", slot: "staging database · port" };
const push = { line: "never push to main", slot: "git · push", isRule: true };

const ends = (quote: string, memory: Partial<Ending> & Pick<Ending, "line">): boolean =>
  endsMemory(quote, { slot: null, isRule: false, isHere: false, by: null, ...memory });

/** In its place, under the same subject and attribute. */
const by = (line: string, isSameSlot = true, isRule = true) => ({
  by: { line, isSameSlot, isRule },
});

const heron = { line: "the demo account is called heron", isHere: true };
const queue = {
  line: "The kestrel queue holds 40 messages",
  slot: "kestrel queue · size",
  isHere: true,
};
const linter = {
  line: "Please always run the osprey linter before you commit.",
  isRule: true,
  isHere: true,
};

describe("an order to forget", () => {
  test.each([
    ["Forget the staging database, we dropped it.", port],
    ["port 6432 is history.", port],
    ["forget what I told you about the staging database", port],
    ["Vergiss den Port 6432 bitte.", port],
    ["oublie le port 6432", port],
    ["olvida el puerto 6432", port],
    ["esqueça a porta 6432", port],
    ["забудь порт 6432", port],
    ["忘掉端口6432", port],
    ["drop the rule never to push to main", push],
    ["you may push to main", push],
    ["forget that, it's falcon", { ...heron, before: "The demo account is heron." }],
    ["nein, vergiss das wieder", { ...heron, before: "The demo account is heron." }],
    ["not heron", heron],
  ])("%s: ends it", (quote, memory) => {
    expect(ends(quote, memory)).toBe(true);
  });

  test.each([
    ["please drop the unused imports in the database module", { ...port, slot: "database · port" }],
    ["connect to port 6432 and run the migration", port],
    ["never forget that the staging database listens on port 6432", port],
    ["the staging database listens on port 6432", port],
    ["remember: never push to main!", push],
    ["don't forget: never push to main!", push],
    ["never push to main", push],
    ["I push to the main branch of the docs", { ...push, line: "never push to main or release" }],
    ["that's not the right color for the header", { ...push, isHere: true }],
    ["delete the temp file in the build folder", { ...push, isHere: true }],
    ["I don't like the header", { ...push, isHere: true }],
    ["do not delete that", { ...push, isHere: true }],
    ["now run the tests please", { ...port, isHere: true }],
    ["forget that", { ...heron, before: "The header is blue." }],
    ["don't", { ...heron, before: "Shall I paint the header?" }],
  ])("%s: ends nothing", (quote, memory) => {
    expect(ends(quote, memory)).toBe(false);
  });
});

describe("a line in its place", () => {
  test.each([
    ["staging moved, its port is 7432 now", port, "staging port is 7432", true],
    [
      "no longer bulma, we use tailwind now",
      { line: "our css framework is bulma" },
      "The project uses tailwind",
      false,
    ],
    [
      "it's not bulma any more, tailwind",
      { line: "our css framework is bulma" },
      "The project uses tailwind",
      false,
    ],
    [
      "please use tailwind instead of bulma",
      { line: "our css framework is bulma" },
      "The project uses tailwind",
      false,
    ],
    [
      "we deploy on tuesdays now",
      { line: "Deploys go out on Fridays" },
      "we deploy on tuesdays",
      false,
    ],
    [
      "no, it's falcon",
      { ...heron, before: "The demo account is heron." },
      "the demo account is falcon",
      false,
    ],
    [
      "from now on commits in German",
      { line: "commits in English, the auditors read them", isRule: true },
      "commits in German",
      true,
    ],
    [
      "Make it every 300 steps",
      { line: "Checkpoints: every 1000 steps", isRule: true },
      "every 300 steps",
      true,
    ],
    [
      "Kelechi leaves us, templates pass to Temitope",
      { line: "Ask Kelechi before you touch templates", isRule: true },
      "templates: Temitope",
      false,
    ],
    [
      "we reconsidered the attachments: they go into Postgres large objects after all",
      {
        line: "we decided to store attachments in S3. sketch the upload handler",
        slot: "attachments · stored in",
      },
      "attachments go into Postgres large objects",
      true,
    ],
    [
      "Hemos pasado de Mailgun a Postmark para el correo saliente.",
      {
        line: "El correo saliente lo mandamos con Mailgun, deja el adaptador en src/mail.",
        slot: "correo saliente · proveedor",
      },
      "Hemos pasado de Mailgun a Postmark para el correo saliente.",
      true,
    ],
    [
      "we moved outgoing mail from Mailgun to Postmark",
      { line: "we send outgoing mail with Mailgun, leave the adapter in src/mail." },
      "outgoing mail goes through Postmark",
      false,
    ],
    [
      "Die Sicherungen liegen jetzt in Falkenstein.",
      {
        line: "Die Sicherungen schieben wir nach eu-west-1, trag das in docs/ops.md ein.",
        slot: "Sicherungen · Ort",
      },
      "Die Sicherungen liegen in Falkenstein",
      true,
    ],
    ["push to main from now on", push, "push to main from now on", false],
    ["make it 80", { ...queue, before: "I set it to 40 messages." }, "queue: 80", true],
    ["the kestrel queue takes 80", queue, "The kestrel queue holds 80", false],
  ])("%s: takes its place", (quote, memory, line, isSameSlot) => {
    expect(ends(quote, { ...memory, ...by(line, isSameSlot) })).toBe(true);
  });

  test.each([
    ["please restart the database", { line: "The production database runs on port 5432 at db1" }],
    [
      "the database tests are slow today",
      { line: "The production database runs on port 5432 at db1" },
    ],
    ["please push the fix for the header", push],
    ["thanks, that looks good to me", { ...push, isHere: true }],
    ["thanks, that looks good to me", { line: "the demo account is called heron", isHere: true }],
  ])("%s: ends nothing, whatever slot it is given", (quote, memory) => {
    expect(ends(quote, { ...memory, ...by(quote, false) })).toBe(false);
    if (memory.line !== "the demo account is called heron")
      expect(ends(quote, { ...memory, ...by(quote) })).toBe(false);
  });

  test.each([
    "write the attachments to a temp folder first",
    "the upload handler for attachments is slow, speed it up",
    "sketch the upload handler for avatars too",
  ])("%s: an errand about its subject ends no decision", (quote) => {
    const line = "we decided to store attachments in S3. sketch the upload handler for the API";
    const memory = { line, slot: "attachments · stored in" };
    expect(ends(quote, { ...memory, ...by(quote) })).toBe(false);
  });

  test.each([
    ["Use 80 from now on for the header height.", { ...queue, before: "It holds 40 messages." }],
    ["make it 80", { ...queue, before: "The header is 40 pixels high." }],
    ["No, that is wrong. The header is now green.", { ...queue, before: "It holds 40 messages." }],
    ["the header is 80", { ...queue, before: "" }],
    [
      "We no longer need it, drop the queue picture in the header.",
      { line: "The header height is 80", isHere: true },
    ],
    ["the header is 90", { line: "The heading of the header is 80", isRare: () => false }],
    [
      "the header is green",
      { line: "our website has one logo, a header, no font", isRare: () => false },
    ],
  ])("%s: names nothing of the memory, and ends it in no slot", (quote, memory) => {
    expect(ends(quote, { ...memory, ...by(quote) })).toBe(false);
    expect(ends(quote, { ...memory, ...by(quote, false) })).toBe(false);
  });

  test("a decision ends a rule only where the quote denies or restates the rule", () => {
    const decided = { ...linter, ...by("The linter is not needed", true, false) };
    expect(ends("Don't run things before you commit the header.", decided)).toBe(false);
    expect(ends("we lint on the server from now on", decided)).toBe(false);
    expect(ends("don't run the osprey linter any more", decided)).toBe(true);
    expect(ends("run the osprey linter after you commit", decided)).toBe(true);
  });

  test.each([
    "From now on paint the header before you commit.",
    "Never run migrations before you commit, not even small ones on staging.",
    "Don't run things before you commit the header.",
  ])("%s: a rule ends no other one that shares two words with it", (quote) => {
    for (const isHere of [true, false])
      expect(ends(quote, { ...linter, isHere, ...by(quote, false) })).toBe(false);
  });

  test("what only may be ends nothing", () => {
    const said = "The staging database moved to another host. It could be 7432, not sure.";
    expect(ends(said, { ...port, ...by("The staging database is on port 7432") })).toBe(false);
    expect(ends("The staging database moved to another host.", { ...port, ...by("x") })).toBe(true);
  });

  test("an errand ends no rule that shares two words with it", () => {
    const memory = { line: "run the tests before you push to main", isRule: true };
    expect(ends("please run the tests before lunch", { ...memory, ...by("x", false) })).toBe(false);
  });
});
