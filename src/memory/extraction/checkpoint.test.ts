import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { limits } from "../limits.ts";
import { knownNode } from "../../../test/support/memory/candidates.ts";
import { recorded, type SaidTurn } from "../../../test/support/memory/turns.ts";
import { continuationBrief } from "./checkpoint-render.ts";
import { summariseSession, type CheckpointMaterial } from "./checkpoint.ts";

const summarised = (said: readonly SaidTurn[], over: Partial<CheckpointMaterial> = {}) =>
  summariseSession({
    ...recorded(said),
    previous: null,
    trigger: "stop",
    compactSummary: null,
    uncommitted: [],
    ...over,
  });

const afternoon: readonly SaidTurn[] = [
  {
    prompt: "add rate limiting to the public API",
    answer:
      "Added a sliding window in Redis, 100 requests per minute and key. Next I would add metrics.",
    tools: [
      "Read /home/mira/harbour/src/server.ts",
      "Write /home/mira/harbour/src/limit.ts",
      "Edit /home/mira/harbour/src/server.ts",
      "Bash bun test",
    ],
  },
  { prompt: "thanks!", answer: "You're welcome." },
  {
    prompt: "why do the e2e tests time out since yesterday?",
    answer:
      "The root cause is the Redis container: its health check waits for port 6380, but the service listens on 6379. I corrected the port in docker-compose.yml. Remaining: the retry test is still skipped.",
    tools: [
      "Read /home/mira/harbour/docker-compose.yml",
      "Bash bun run e2e !! timeout after 30 s",
      "Edit /home/mira/harbour/docker-compose.yml",
      "Bash bun run e2e",
    ],
  },
  {
    prompt: "never run the e2e suite on push, it is too slow",
    answer: "Understood, nightly only.",
    tools: ["AskUserQuestion"],
  },
];

test("each field says what the specification asks of it", () => {
  const { fields } = summarised(afternoon);
  expect(fields.request).toBe("Why do the e2e tests time out since yesterday");
  expect(fields.learned).toBe("Which suite runs on push? → unit tests only");
  expect(fields.completed).toBe(
    "Edited: docker-compose.yml, src/server.ts, src/limit.ts. " +
      "Remaining: the retry test is still skipped.",
  );
  expect(fields.filesRead).toEqual(["src/server.ts", "docker-compose.yml"]);
  expect(fields.filesEdited).toEqual(["src/limit.ts", "src/server.ts", "docker-compose.yml"]);
  expect(fields.filesInHand).toEqual(["docker-compose.yml", "src/server.ts", "src/limit.ts"]);
  expect(fields.notes).toBe("");
});

test("the line for lists is the title", () => {
  const { l0, fields } = summarised(afternoon);
  expect(l0).toBe(fields.request);
});

test("a failing last command is what comes next", () => {
  const { fields } = summarised([
    {
      prompt: "make the build pass",
      answer: "It does not link yet.",
      tools: ["Edit a.c", "Bash make !! ld: undefined symbol foo\nmore"],
    },
  ]);
  expect(fields.nextSteps).toBe("Still failing: make (ld: undefined symbol foo)");
  expect(fields.currentTask).toBe("make the build pass");
  expect(fields.completed).toBe("Edited: a.c. It does not link yet.");
});

test.each([
  "The user refused this call, the user said: not now",
  "Error: This command requires approval",
  "Permission to use Bash with command make has been denied.",
  "Claude requested permissions to use Bash, but you haven't granted it yet.",
])("a command that nobody allowed is no open end: %s", (text) => {
  const { fields } = summarised([
    {
      prompt: "make the build pass",
      answer: "Done so far.",
      tools: ["Edit a.c", `Bash make !! ${text}`],
    },
  ]);
  expect(fields.nextSteps).toBe("");
});

test("an interrupted request is noted and stays the current task", () => {
  const { fields } = summarised([
    { prompt: "migrate the users table", interrupted: true, tools: ["Edit db/users.sql"] },
  ]);
  expect(fields.notes).toBe("Interrupted: migrate the users table");
  expect(fields.currentTask).toBe("migrate the users table");
});

test("before a compaction the latest aim is the current task even when it looks done", () => {
  const said = afternoon.slice(0, 2);
  const done = [
    {
      ...afternoon[0],
      prompt: "add rate limiting to the API",
      answer: "Added a sliding window in Redis.",
    },
  ];
  expect(summarised(done, { trigger: "stop" }).fields.currentTask).toBe("");
  expect(summarised(said, { trigger: "precompact" }).fields.currentTask).toBe(
    "add rate limiting to the public API",
  );
});

test("a file edited five times and a search repeated five times are thrash; four are not", () => {
  const edits = Array.from({ length: 5 }, () => "Edit src/lock.ts");
  const searches = Array.from({ length: 5 }, () => "Bash rg acquireLock src");
  const few = Array.from({ length: 4 }, () => "Edit src/other.ts");
  const { fields } = summarised([
    {
      prompt: "fix the lock",
      answer: "I am still looking.",
      tools: [...edits, ...searches, ...few],
    },
  ]);
  expect(fields.thrash).toEqual([
    "src/lock.ts edited 5 times",
    '"rg acquireLock src" searched 5 times',
  ]);
});

test("an earlier checkpoint's files and thrash are carried over once, its outcome until there is another", () => {
  const earlier = summarised(afternoon.slice(0, 1)).fields;
  const { fields } = summarised(afternoon.slice(0, 1), {
    previous: {
      ...earlier,
      completed: "Set up the repository",
      thrash: ["src/old.ts edited 6 times"],
      filesEdited: ["README.md"],
    },
  });
  expect(fields.completed).toBe("Edited: src/server.ts, src/limit.ts. Next I would add metrics.");
  const previous = { ...earlier, completed: "Set up the repository." };
  expect(summarised(afternoon.slice(1, 2), { previous }).fields.completed).toBe(previous.completed);
  expect(fields.thrash).toEqual(["src/old.ts edited 6 times"]);
  expect(fields.filesEdited).toEqual(["README.md", "src/limit.ts", "src/server.ts"]);
});

test("summarising again adds nothing", () => {
  const first = summarised(afternoon);
  expect(summarised(afternoon, { previous: first.fields })).toEqual(first);
});

test("turns whose tool record was dropped still tell their files", () => {
  const { fields } = summarised(afternoon, { toolUses: [] });
  expect(fields.filesEdited).toEqual(["src/limit.ts", "src/server.ts", "docker-compose.yml"]);
  expect(fields.completed).toStartWith("Edited: docker-compose.yml, src/server.ts");
});

test("the client's summary gives the next steps when the last answer gives none", () => {
  const { fields } = summarised(
    [
      {
        prompt: "refactor the router module",
        answer: "Moved the router to src/http.",
        tools: ["Edit src/http/router.ts"],
      },
    ],
    {
      compactSummary:
        "1. Work so far: …\n\nPending Tasks:\n - Port the websocket handler\n\n7. Other",
    },
  );
  expect(fields.nextSteps).toBe("Port the websocket handler");
});

test("a session of talk has a request and nothing invented", () => {
  const { fields, l0 } = summarised([
    { prompt: "good morning! had coffee already?", answer: "Good morning!" },
  ]);
  expect(fields).toMatchObject({
    learned: "",
    completed: "",
    investigated: "",
    nextSteps: "",
    notes: "",
  });
  expect(l0).not.toBe("");
});

test("a private turn leaves no trace", () => {
  const { fields } = summarised([
    {
      prompt: "add paging to the list",
      answer: "Added paging with a cursor.",
      tools: ["Edit a.ts"],
    },
    { prompt: null, answer: null },
  ]);
  expect(fields.request).toBe("Add paging to the list");
});

test("a very long session stays bounded", () => {
  const said = Array.from({ length: 300 }, (_, n) => ({
    prompt: `implement part number ${n} of the ${"enormous ".repeat(80)} plan`,
    answer: `Implemented part ${n} with endpoint /api/v${n} and a test. ${"It handles another case. ".repeat(60)}`,
    tools: [`Edit src/part-${n}.ts`, `Read src/base-${n}.ts`],
  }));
  const { fields, l0 } = summarised(said);
  for (const text of [
    fields.learned,
    fields.completed,
    fields.investigated,
    fields.notes,
    fields.nextSteps,
  ]) {
    expect(text.length).toBeLessThanOrEqual(limits.checkpointFieldCharsMax);
  }
  expect(fields.filesEdited.length).toBe(limits.checkpointFilesMax);
  expect(fields.filesEdited.at(-1)).toBe("src/part-299.ts");
  expect(tokensOf(l0)).toBeLessThanOrEqual(limits.l0TokensMax);
});

const exchanges = [
  knownNode("the Redis health check waited for port 6380", {}, { tags: ["decision"] }),
  knownNode("the tide is high", {}, { tags: ["routine"] }),
];
const { fields: atCompaction } = summarised(afternoon, {
  trigger: "precompact",
  uncommitted: ["src/limit.ts"],
});

test("while the client's summary has not come, everything counts as lost, most urgent first", () => {
  const brief = continuationBrief({ fields: atCompaction, exchanges, compactSummary: null }, 400);
  expect(brief).toStartWith("Current Task: never run the e2e suite on push");
  expect(brief).toContain("port 6380");
  expect(brief).not.toContain("tide");
  expect(tokensOf(brief)).toBeLessThanOrEqual(400);
});

test("only what the client's summary lost is restored", () => {
  const brief = continuationBrief(
    {
      fields: atCompaction,
      exchanges,
      compactSummary:
        "We added rate limiting to the public API: a sliding window in Redis with 100 requests per minute per key (src/limit.ts, src/server.ts, docker-compose.yml). The e2e suite must never run on push since it is too slow.",
    },
    400,
  );
  expect(brief).not.toContain("sliding window");
  expect(brief).not.toContain("on push");
  expect(brief).toContain("6380");
});

test("a summary that lost nothing leaves nothing to say", () => {
  const told = `${Object.values(atCompaction).flat().join("\n")}\n${exchanges[0]?.l0}`;
  expect(continuationBrief({ fields: atCompaction, exchanges, compactSummary: told }, 400)).toBe(
    "",
  );
});

test.each([0, 20, 60, 150])("the brief keeps a budget of %d tokens", (tokensMax) => {
  const brief = continuationBrief(
    { fields: atCompaction, exchanges, compactSummary: null },
    tokensMax,
  );
  expect(tokensOf(brief)).toBeLessThanOrEqual(tokensMax);
});
