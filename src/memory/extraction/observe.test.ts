import { expect, test } from "bun:test";
import { limits } from "../limits.ts";
import { observeTurn } from "./observe.ts";
import { contextOf } from "./scorer-fixtures.ts";
import type { LabelledTurn } from "./scorer-fixtures.ts";

const observed = (over: Partial<LabelledTurn>) =>
  observeTurn(contextOf({ prompt: "do it", band: [0, 1], types: ["routine"], ...over }));

test.each([
  {
    name: "a feature is told by its outcome, not by its request",
    turn: {
      prompt: "add JWT refresh tokens",
      answer:
        "Implemented JWT refresh with a 7-day expiry. Tokens rotate on use. Next I would add revocation.",
      tools: ["Read src/auth.ts", "Edit src/auth.ts", "Write src/refresh.ts", "Bash bun test"],
    },
    type: "feature",
    title: "Implemented JWT refresh with a 7-day expiry",
  },
  {
    name: "a mended defect is a bugfix, whatever the assistant says first",
    turn: {
      prompt: "the uploader crashes on empty files",
      answer:
        "Fixed: the chunk reader now returns early on zero bytes. The crash came from an unchecked index.",
      tools: ["Edit src/upload.rs", "Bash cargo test"],
    },
    type: "bugfix",
    title: "The chunk reader now returns early on zero bytes",
  },
  {
    name: "a restructuring is a refactor",
    turn: {
      prompt: "extract the mail sending into its own module",
      answer: "I moved the mail code to lib/mail with one entry point. All callers use it.",
      tools: ["Write lib/mail.py", "Edit app.py"],
    },
    type: "refactor",
    title: "Moved the mail code to lib/mail with one entry point",
  },
  {
    name: "a decision that is only written down is one observation, a decision",
    turn: {
      prompt: "architecture decision: events go through the outbox, never straight to the broker",
      answer: "Recorded in docs/adr/0004-outbox.md.",
      tools: ["Write docs/adr/0004-outbox.md"],
    },
    type: "decision",
    title: "Architecture decision: events go through the outbox, never straight to the broker",
  },
  {
    name: "a cause found without a change is a discovery",
    turn: {
      prompt: "why is the nightly job late?",
      answer: "The root cause is the lock on the ledger table: the vacuum holds it until 02:40.",
      tools: ["Bash psql -c 'select * from pg_locks'", "Read jobs/nightly.py"],
    },
    type: "discovery",
    title: "The root cause is the lock on the ledger table: the vacuum holds it until 02:40",
  },
] as const)("$name", ({ turn, type, title }) => {
  const [first, ...others] = observed(turn);
  expect(first).toMatchObject({ type, title });
  expect(others).toEqual([]);
});

test.each([
  {
    name: "reading",
    turn: {
      prompt: "look at src/auth.ts",
      answer: "It exports two functions.",
      tools: ["Read src/auth.ts"],
    },
  },
  {
    name: "a turn without tools",
    turn: { prompt: "we decided on NATS for the bus", answer: "Good." },
  },
  {
    name: "an errand",
    turn: {
      prompt: "commit and push",
      answer: "Committed and pushed.",
      tools: ["Bash git commit -m x", "Bash git push"],
    },
  },
  {
    name: "running the tests",
    turn: { prompt: "run the tests", answer: "All 12 tests pass.", tools: ["Bash bun test"] },
  },
  {
    name: "a corrected typo",
    turn: {
      prompt: "fix the typo in the readme",
      answer: "Fixed the typo in the readme.",
      tools: ["Edit README.md"],
    },
  },
  {
    name: "work in progress",
    turn: {
      prompt: "make the build pass",
      answer: "I changed the flags, but the build still fails.",
      tools: ["Edit build.zig", "Bash zig build !! error: unable to find header"],
    },
  },
  {
    name: "an interrupted turn",
    turn: {
      prompt: "implement paging",
      answer: "Implemented paging in the list handler.",
      tools: ["Edit a.ts"],
      interrupted: true,
    },
  },
  { name: "small talk", turn: { prompt: "lunch first, pizza", answer: "Enjoy!" } },
])("$name is not an observation", ({ turn }) => {
  expect(observed(turn)).toEqual([]);
});

test("files come from the tool record, facts and narrative from the answer, plans from neither", () => {
  const [draft] = observed({
    prompt: "add rate limiting to the public API",
    answer:
      "Rate limiting is in. The window is 60 s and the limit 100 requests per key. Next I would add metrics for 429 replies.",
    tools: ["Read src/server.ts", "Write src/limit.ts", "Edit src/server.ts", "Bash bun test"],
  });
  expect(draft?.filesRead).toEqual(["src/server.ts"]);
  expect(draft?.filesModified).toEqual(["src/limit.ts", "src/server.ts"]);
  expect(draft?.facts).toEqual(["The window is 60 s and the limit 100 requests per key."]);
  expect(draft?.narrative).not.toContain("metrics");
  expect(draft?.concepts).toContain("api");
  expect(draft).toMatchObject({
    turn: 1,
    sessionId: "s-labelled",
    subtitle: "add rate limiting to the public API",
  });
});

test("a title that would lean on the conversation takes the request in front", () => {
  const [draft] = observed({
    prompt: "cache the exchange rates",
    answer: "They are now cached for an hour in Redis.",
    tools: ["Edit src/rates.go"],
  });
  expect(draft?.title).toBe("cache the exchange rates: They are now cached for an hour in Redis");
});

test("a long answer gives bounded observations", () => {
  const sentence =
    "Added the handler for case number 17 to the very long dispatch table in src/dispatch.ts. ";
  const drafts = observed({
    prompt: `implement ${"everything ".repeat(200)}`,
    answer: sentence.repeat(400),
    tools: Array.from({ length: 60 }, (_, n) => `Edit src/file-${n}.ts`),
  });
  expect(drafts.length).toBeLessThanOrEqual(limits.observationsPerTurnMax);
  for (const draft of drafts) {
    expect(draft.title.length).toBeLessThanOrEqual(limits.observationTitleCharsMax);
    expect(draft.subtitle.length).toBeLessThanOrEqual(limits.observationSubtitleCharsMax);
    expect(draft.narrative.length).toBeLessThanOrEqual(limits.observationNarrativeCharsMax);
    expect(draft.facts.length).toBeLessThanOrEqual(limits.observationFactsMax);
    expect(draft.filesModified.length).toBeLessThanOrEqual(limits.observationFilesMax);
  }
});
