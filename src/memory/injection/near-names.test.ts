/** Things that differ in one name: who asks for one is never given its neighbour, by search or at a prompt. */
import { expect, test } from "bun:test";
import { exactnessOf, heldIn, mistakenNames } from "../retrieval/exact.ts";
import {
  distractors,
  type Fixture,
  openFixture,
  queryFor,
} from "../../../test/support/memory/finding.ts";
import { decidePrompt } from "./gate.ts";
import { composePrompt } from "./prompt.ts";
import { evidenceFor } from "../../../test/support/memory/injection.ts";

const topics = ["the retry storm", "the login page", "dark mode", "slow invoices", "lost avatars"];

interface Kind {
  readonly names: readonly string[];
  readonly told: (name: string, topic: string) => string;
  readonly asked: (name: string) => string;
}

const kinds: Readonly<Record<string, Kind>> = {
  tickets: {
    names: ["POL-358", "POL-359", "POL-385", "POL-3580", "PAL-358"],
    told: (name, topic) => `Ticket ${name} is about ${topic}`,
    asked: (name) => `what is ticket ${name} about?`,
  },
  ports: {
    names: ["7001", "7002", "7003", "7010", "17001"],
    told: (name, topic) => `Port ${name} belongs to ${topic}`,
    asked: (name) => `what does port ${name} belong to?`,
  },
  versions: {
    names: ["v3.0.0-rc.1", "v3.0.0-rc.10", "v3.0.0", "v3.0.1", "v3.1.0-rc.1"],
    told: (name, topic) => `Release ${name} fixed ${topic}`,
    asked: (name) => `what did release ${name} fix?`,
  },
  commits: {
    names: ["a41f09c", "a41f19c", "b77e0d2", "b77e1d2", "c0ffee1"],
    told: (name, topic) => `Commit ${name} touched ${topic}`,
    asked: (name) => `what did commit ${name} touch?`,
  },
  paths: {
    names: [
      "src/api/user.ts",
      "src/api/users.ts",
      "lib/api/user.ts",
      "src/api/user.tsx",
      "src/api/usage.ts",
    ],
    told: (name, topic) => `${name} holds the code of ${topic}`,
    asked: (name) => `what does ${name} hold?`,
  },
  identifiers: {
    names: ["parseUser", "parseUsers", "parseUserId", "parserUser", "loadUser"],
    told: (name, topic) => `${name} is used by ${topic}`,
    asked: (name) => `what is ${name} used by?`,
  },
  flags: {
    names: ["--dry-run", "--dry-runs", "--dry", "--no-dry-run", "--dry-run-all"],
    told: (name, topic) => `The flag ${name} controls ${topic}`,
    asked: (name) => `what does the flag ${name} control?`,
  },
  errors: {
    names: ["ERR_2041", "ERR_2042", "ERR_204", "ERR_20410", "WRN_2041"],
    told: (name, topic) => `${name} means that ${topic} is back`,
    asked: (name) => `what does ${name} mean?`,
  },
  people: {
    names: ["Mirna", "Mirja", "Marla", "Marna", "Merle"],
    told: (name, topic) => `${name} looks after ${topic}`,
    asked: (name) => `what does ${name} look after?`,
  },
  accents: {
    names: ["café", "cafè", "câfe", "kafé", "Müller"],
    told: (name, topic) => `The room ${name} is kept for ${topic}`,
    asked: (name) => `what is the room ${name} kept for?`,
  },
  pictures: {
    names: ["🎯", "🎲", "🎳", "🎈", "🇫🇷"],
    told: (name, topic) => `The label ${name} marks ${topic}`,
    asked: (name) => `what does the label ${name} mark?`,
  },
  Chinese: {
    names: ["队列甲", "队列乙", "队列丙", "队列丁", "队列戊"],
    told: (name, topic) => `${name} handles ${topic}`,
    asked: (name) => `what does ${name} handle?`,
  },
  Japanese: {
    names: ["サーバー一号", "サーバー二号", "サーバー六号", "サーバー十号", "サーバー百号"],
    told: (name, topic) => `${name}は ${topic} を担当`,
    asked: (name) => `${name}は何を担当?`,
  },
  letters: {
    names: ["A", "B", "C", "D", "E"],
    told: (name, topic) => `Room ${name} is reserved for ${topic}`,
    asked: (name) => `what is room ${name} reserved for?`,
  },
  dates: {
    names: ["2026-03-01", "2026-03-10", "2026-03-11", "2026-01-03", "2025-03-01"],
    told: (name, topic) => `On ${name} we worked on ${topic}`,
    asked: (name) => `what did we work on, on ${name}?`,
  },
  requests: {
    names: [
      "GET /v1/orders",
      "POST /v1/orders",
      "GET /v2/orders",
      "POST /v2/orders",
      "PUT /v2/orders",
    ],
    told: (name, topic) => `${name} is slow because of ${topic}`,
    asked: (name) => `why is ${name} slow?`,
  },
  addresses: {
    names: ["10.0.3.1", "10.0.3.14", "10.0.31.4", "11.0.3.14", "10.0.3.140"],
    told: (name, topic) => `The machine at ${name} runs ${topic}`,
    asked: (name) => `what runs at ${name}?`,
  },
};

/** Text that a prompt would be given, whatever the gate thinks of it. */
function givenTo(fixture: Fixture, prompt: string): string {
  const evidence = evidenceFor(fixture, prompt);
  const decision = { ...decidePrompt(evidence), verdict: "inject", cause: "wanted" } as const;
  return composePrompt(evidence, decision).text;
}

const givenFirst = (fixture: Fixture, prompt: string): string | undefined =>
  givenTo(fixture, prompt).split("\n- ")[1]?.split(" (")[0];

test.each(Object.entries(kinds))("%s are never taken for one another", (_, kind) => {
  using fixture = openFixture();
  for (const line of distractors.slice(0, 30)) fixture.add(line);
  const lines = kind.names.map((name, at) => kind.told(name, topics[at] ?? ""));
  for (const line of lines) fixture.add(line);
  const { find, search } = fixture.finder;
  const answers = (text: string): readonly (string | undefined)[] => [
    find(queryFor(text))[0]?.l0,
    search(queryFor(text)).hits[0]?.document.l0,
  ];
  for (const [at, name] of kind.names.entries()) {
    const line = lines[at];
    const question = kind.asked(name);
    const given = [...answers(name), ...answers(question), givenFirst(fixture, question)];
    expect(given).toEqual([line, line, line, line, line]);
  }
});

test.each<readonly [verb: string, asked: string, names: readonly string[]]>([
  ["serves", "what does NAME serve?", ["10.0.4.1", "10.0.4.2", "10.0.4.11", "10.0.4.31"]],
  ["owns", "what does NAME own?", ["Marit", "Marlo", "Marla", "Morita"]],
])(
  "what one memory has all words of is told, however little it sounds like it: NAME %s",
  (verb, asked, names) => {
    using fixture = openFixture();
    for (const line of distractors.slice(0, 30)) fixture.add(line);
    const lines = names.map((name, at) => `${name} ${verb} ${topics[at]}`);
    for (const line of lines) fixture.add(line);
    for (const [at, name] of names.entries()) {
      const { text } = composePrompt(evidenceFor(fixture, told(asked, name)));
      expect(text).toContain(`- ${lines[at]} (`);
    }
  },
);

test("who asks by an old value is given the new one", () => {
  using fixture = openFixture();
  for (const line of distractors.slice(0, 30)) fixture.add(line);
  const line = "The staging database listens on port 5434 since the move";
  fixture.add(line);
  expect(givenFirst(fixture, "is the staging database still on port 5433?")).toStartWith(line);
  fixture.add("The staging database listens on port 5433", {
    uri: "mem://sessions/old/exchanges/1",
    category: "sessions",
    l1: "u: The staging database listens on port 5433",
    sourceSession: "old",
    daysAgo: 30,
  });
  const given = givenTo(fixture, "is the staging database still on port 5433?");
  expect(given).toContain("5434");
});

test("a path with backslashes and a pattern are names like others", () => {
  using fixture = openFixture();
  for (const name of ["C:\\users\\build\\x.log", "a(b|c", "[unclosed", "\\p{Nope}"]) {
    const line = `The linker writes ${name} at each release`;
    fixture.add(line);
    expect(fixture.finder.find(queryFor(`who writes ${name} ?`))[0]?.l0).toBe(line);
  }
});

test("an order that names a new thing is told the rules of others like it, a question is not", () => {
  using fixture = openFixture();
  for (const line of distractors.slice(0, 30)) fixture.add(line);
  const line = "New fields of the tide message start at 40, since old_buoys still send 14 to 19";
  fixture.add(line);
  expect(givenTo(fixture, "add a field pier_slot to the tide message")).toContain(line);
  expect(givenTo(fixture, "what does pier_slot in the tide message hold?")).not.toContain(line);
});

const told = (text: string, name: string) => text.replace("NAME", name);
test.each([
  ["was NAME merged?", "NAME introduced the retry loop", "PR #519", "PR #518"],
  ["was NAME merged?", "NAME introduced the retry loop", "PR 519", "PR 518"],
  ["was NAME merged?", "NAME introduced the retry loop", "pr 519", "PR #518"],
  ["did NAME introduce the retry loop?", "NAME introduced the retry loop", "PR #519", "PR 518"],
  ["what is NAME about?", "NAME is about the timeout", "issue 2041", "issue 2042"],
  ["what is NAME about?", "NAME is about the timeout", "ticket no. 88120", "Ticket 88121"],
  ["what is NAME about?", "NAME is about the timeout", "MR 771", "MR 772"],
  ["why NAME?", "NAME keeps the log", "ADR 058", "ADR 057"],
  ["why NAME?", "NAME keeps the log", "pull request 519", "PR #518"],
  ["о чём NAME?", "NAME про таймаут", "тикет 4410", "тикет 4411"],
  ["NAME 讲了什么？", "NAME 是关于超时的", "工单 4410", "工单 4411"],
])("%s, %s: the answer of %s is not that of %s", (asked, said, name, other) => {
  const exact = exactnessOf(told(asked, name), undefined);
  if (exact === null) throw new Error("names nothing");
  const of = (text: string) => mistakenNames(exact, heldIn(exact, text));
  expect(of(told(said, other)).map(({ isCode }) => isCode)).toEqual([true]);
  expect(of(told(said, name))).toEqual([]);
});

test("of a value another one is an answer", () => {
  const exact = exactnessOf("does it listen on port 5433?", undefined);
  if (exact === null) throw new Error("names nothing");
  const mistaken = mistakenNames(exact, heldIn(exact, "It listens on port 5434"));
  expect(mistaken.map(({ isCode }) => isCode)).toEqual([false]);
});
