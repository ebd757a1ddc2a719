/** Lists name a thing once, whatever its turn has left of it. */
import { expect, test } from "bun:test";
import { documentKinds, emptyCheckpoint, type MemoryNode } from "#domain";
import {
  distractors,
  type Fixture,
  home,
  nowMs,
  openFixture,
  queryFor,
} from "../../../test/support/memory/finding.ts";

/** Records of a turn without a model: its prompt, its exchange, a checkpoint of the session. */
function recordTurn({ store: { sessions }, add }: Fixture, session: string, prompt: string): void {
  sessions.upsert({ sessionId: session, project: home, atMs: nowMs });
  const { n } = sessions.openTurn({ sessionId: session, promptId: null, prompt, atMs: nowMs });
  sessions.addCheckpoint({
    sessionId: session,
    project: home,
    atMs: nowMs,
    trigger: "end",
    l0: prompt.slice(0, 60),
    fields: {
      ...emptyCheckpoint,
      request: prompt,
    },
  });
  add(`${prompt} → Got it.`, {
    uri: `mem://sessions/${session}/exchanges/${n}`,
    category: "sessions",
    sourceSession: session,
    l1: `u: ${prompt}\na: Got it.`,
  });
}

const remember = ({ add }: Fixture, l0: string, session: string, turn: number): MemoryNode =>
  add(l0, { evidence: [{ sessionId: session, turn, line: null, quote: l0 }] });

const said = "We decided to use pnpm instead of npm for this monorepo because it is faster";

const listed = (
  { finder }: Fixture,
  text: string,
): readonly (readonly [kind: string, l0: string])[] => {
  const query = queryFor(text, { kinds: documentKinds });
  const found = finder.list(query).map(({ kind, l0 }) => [kind, l0] as const);
  const searched = finder.search(query).hits.map(({ document }) => document.uri);
  expect(new Set(searched).size).toBe(searched.length);
  return found;
};

test("of one turn the exchange is listed, or the memory that was made of it", () => {
  using fixture = openFixture();
  recordTurn(fixture, "one", said);
  recordTurn(fixture, "two", "Which linter is quickest? Keep the answer short");
  for (const line of distractors.slice(0, 20)) fixture.add(line);
  const packages = (): readonly (readonly [string, string])[] =>
    listed(fixture, "which package manager did we decide on for the monorepo, pnpm?").filter(
      ([, l0]) => l0.includes("pnpm"),
    );
  expect(packages()).toEqual([["exchange", `${said} → Got it.`]]);
  remember(fixture, "The monorepo uses pnpm, not npm", "one", 1);
  expect(packages()).toEqual([["memory", "The monorepo uses pnpm, not npm"]]);
});

test("a statement with the very name stands above the questions that ask for it", () => {
  using fixture = openFixture();
  fixture.add("POL-359 is the shipping policy of the shop in Porto, free over 50 euro");
  for (const [at, question] of [
    "what does POL-359 say?",
    "POL-359?",
    "what is POL-359?",
    "who owns POL-359?",
    "where is POL-359?",
    "POL-359, which one?",
  ].entries())
    recordTurn(fixture, `s${at}`, question);
  for (const line of distractors.slice(0, 20)) fixture.add(line);
  expect(listed(fixture, "POL-359")[0]?.[0]).toBe("memory");
});

test("two memories of one turn are two things", () => {
  using fixture = openFixture();
  recordTurn(fixture, "one", "The harbour uses pnpm and the harbour runs on node 22");
  remember(fixture, "The harbour uses pnpm", "one", 1);
  remember(fixture, "The harbour runs on node 22", "one", 1);
  expect(listed(fixture, "what does the harbour use?").map(([kind]) => kind)).toEqual([
    "memory",
    "memory",
  ]);
});

test("a memory of other words does not stand for a turn in which something else was said", () => {
  using fixture = openFixture();
  recordTurn(fixture, "one", "The tide sensor drifts after rain. Also I like short answers");
  remember(fixture, "The user wants brief replies", "one", 1);
  for (const line of distractors.slice(0, 20)) fixture.add(line);
  expect(listed(fixture, "tide sensor drifts after rain")[0]?.[0]).toBe("exchange");
});

test("a memory is listed above records of the same words from other sessions", () => {
  using fixture = openFixture();
  recordTurn(fixture, "one", `${said}, ${said}`);
  remember(fixture, said, "elsewhere", 4);
  expect(listed(fixture, said)[0]).toEqual(["memory", said]);
});

test("the same prompt of several sessions is listed once", () => {
  using fixture = openFixture();
  for (const session of ["one", "two", "three"]) recordTurn(fixture, session, said);
  expect(listed(fixture, said)).toHaveLength(1);
});

test.each([
  ["webchat", "The web chat widget is served from Oslo"],
  ["web chat", "The webchat widget is served from Oslo"],
  ["the assitant model of the harbour", "The assistant model of the harbour is small"],
])("%s meets: %s", (asked, line) => {
  using fixture = openFixture();
  for (const other of distractors.slice(0, 60)) fixture.add(other);
  fixture.add(line);
  expect(
    listed(fixture, asked)
      .slice(0, 3)
      .map(([, l0]) => l0),
  ).toContain(line);
});

test("a replaced memory with the words of another is listed once", () => {
  using fixture = openFixture();
  const squash = "from now on squash every PR before merging";
  const merge = "no more squashing of a PR before merging: merge with a merge commit";
  const [typed, saved] = [fixture.add(squash), fixture.add(squash)];
  const [again, now] = [fixture.add(merge), fixture.add(merge)];
  for (const old of [typed, saved, again]) fixture.supersede(old, now);
  const found = listed(fixture, "do we squash a PR before merging?").map(([, l0]) => l0);
  expect(found.toSorted()).toEqual([squash, merge].toSorted());
});

test("an exchange whose memory was replaced is marked with what replaced it", () => {
  using fixture = openFixture();
  recordTurn(fixture, "one", "the driver app's repo is called tug-mobile");
  const old = fixture.add("the driver app's repo is called tug-mobile", {
    sourceSession: "one",
    evidence: [{ sessionId: "one", turn: 1, line: null, quote: "" }],
  });
  const now = fixture.add("it's tugmobile, without the dash");
  fixture.supersede(old, now);
  const query = queryFor("which repo has the driver app?", { kinds: ["exchange"] });
  const marks = [
    fixture.finder.list(query).map(({ supersededBy }) => supersededBy),
    fixture.finder.search(query).hits.map(({ document }) => document.supersededBy),
  ];
  expect(marks).toEqual([[now.uri], [now.uri]]);
});

test("a weak memory of its turn's words is listed for a question that it meets, and only for that", () => {
  using fixture = openFixture();
  recordTurn(
    fixture,
    "one",
    "Remember that the test harbour is called Skagen and has 12 berths. Now add a price column to the table.",
  );
  const told = "the test harbour is called Skagen and has 12 berths";
  remember(fixture, told, "one", 1);
  fixture.add("the kiosk in Skagen sells tickets until noon, Skagen Skagen");
  recordTurn(fixture, "two", "forget that the test harbour is Skagen");
  for (const line of distractors.slice(0, 20)) fixture.add(line);
  const of = (text: string) =>
    listed(fixture, text).map(([kind, l0]) => `${kind} ${l0.slice(0, 24)}`);
  expect(of("skagen")).toContain(`memory ${told.slice(0, 24)}`);
  expect(of("add a price column to the table")[0]).toStartWith("exchange Remember that the test");
});
