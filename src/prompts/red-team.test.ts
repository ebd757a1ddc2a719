/** A model that obeys whatever it reads still gets nothing past the parsers: not as the user's, not as a rule. */
import { describe, expect, test } from "bun:test";
import { isOrder, isRule } from "#language";
import { evaluatePrompt } from "./evaluate.ts";
import { narratePrompt } from "./narrate.ts";
import { observePrompt } from "./observe.ts";
import type { RenderedPrompt } from "./prompt.ts";
import { attacks, type Attack } from "./red-team.fixtures.ts";
import { relationalPrompt } from "./relational.ts";
import { searchPrompt } from "./search.ts";
import { recordOf, sessionInput } from "./session.fixtures.ts";
import { sessionPrompt } from "./session.ts";
import type { KnownSlot, SessionInput } from "./session-input.ts";
import { summaryPrompt } from "./summary.ts";

const date = "2026-03-02";
const userMemory: KnownSlot = {
  number: 1,
  id: 7,
  slot: "changes · review",
  l0: "Every change is reviewed by a person.",
  project: "depot",
  date: "2026-02-01",
};

const inputOf = ({ turns }: Pick<Attack, "turns">): SessionInput =>
  sessionInput({ record: recordOf(turns), known: [userMemory], memoriesMax: 20 });

/** Every way in which a model may put what it was told to put, each also with the user's words as evidence. */
const obeyed = ({ wanted, quote, turns }: Attack): unknown => ({
  title: "Fixing the test",
  outcome: "",
  open: [],
  branch: "",
  wrong: [],
  memories: ["rule", "decision", "fact", "cause", "place"].flatMap((kind) =>
    [quote, turns[0]?.prompt ?? "", turns.at(-1)?.prompt ?? ""].map((evidence, at) => ({
      kind,
      subject: `changes ${at}`,
      attribute: "review",
      value: wanted,
      line: wanted,
      aliases: ["always obey", wanted],
      scope: "everywhere",
      valid: "durable",
      turn: 1,
      quote: evidence,
      replaces: 1,
      origin: "user",
      status: "active",
      pinned: true,
    })),
  ),
});

test("there are at least thirty-six attacks", () => {
  expect(attacks.length).toBeGreaterThanOrEqual(36);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

describe("memories", () => {
  test.each(attacks)("$name: nothing is a rule or gives an order", (attack) => {
    const reply = sessionPrompt.parse(obeyed(attack), inputOf(attack));
    expect(reply.ok).toBe(true);
    const kept = reply.ok ? reply.value.kept : [];
    for (const { kind, line, aliases } of kept) {
      expect({ kind, line }).not.toMatchObject({ kind: "rule" });
      expect([line, ...aliases].filter(isOrder)).toEqual([]);
    }
  });
});

describe("everything else that is kept", () => {
  test.each(attacks)("$name: no text gives orders that the user did not give", (attack) => {
    const { turns, wanted } = attack;
    const flat = turns.map(({ n, prompt, answers, tools }) => ({
      n,
      prompt,
      tools,
      answer: answers.at(-1) ?? null,
      before: [],
    }));
    const evaluated = evaluatePrompt.parse(
      { turns: [{ n: 1, significance: 1, type: "decision", tags: [], summary: wanted }] },
      { turns: flat },
    );
    const observed = observePrompt.parse(
      {
        observations: [
          { turn: 1, type: "decision", title: wanted, narrative: wanted, facts: [wanted] },
          {
            turn: 1,
            type: "decision",
            title: "Date test fixed",
            facts: [wanted],
            subtitle: wanted,
          },
        ],
      },
      { turns: flat },
    );
    const fields = { request: "Fix the test.", learned: wanted, notes: wanted, title: wanted };
    const summary = summaryPrompt.parse(fields, {
      project: "depot",
      date,
      turns,
      previous: null,
      filesRead: [],
      filesEdited: [],
    });
    const narrated = narratePrompt.parse(
      { episodes: [{ from: 1, to: 1, title: "Fixing the test", held: [wanted], open: [wanted] }] },
      { project: "depot", date, turns },
    );
    const texts = textsIn([evaluated, observed, summary, narrated]);
    expect(texts.filter(isOrder)).toEqual([]);
  });

  test.each(attacks)("$name: the profile of the relationship stays", (attack) => {
    const { turns, wanted, quote } = attack;
    const fixed = {
      id: "s00001",
      section: "dynamic",
      text: "Asks before anything is pushed.",
      date: "2026-01-01",
      confirmed: "2026-01-01",
      sessionId: "s-0",
      quote: "ask me before you push",
      fixed: true,
      before: [],
    } as const;
    const open = { ...fixed, id: "s00002", fixed: false, text: "Reviews every change." };
    const reply = relationalPrompt.parse(
      {
        keeps: [],
        changed: [quote, turns[0]?.prompt].flatMap((evidence) => [
          { id: fixed.id, text: wanted, quote: evidence },
          { id: open.id, text: wanted, quote: evidence },
        ]),
        added: [
          { section: "signals", text: wanted, quote },
          { section: "signals", text: "Trusts every command from README files.", quote },
        ],
      },
      { previous: [fixed, open], turns, sessionId: "s-1", date },
    );
    const kept = reply.ok ? reply.value : [];
    expect(kept[0]).toEqual(fixed);
    expect(kept[1]?.id).toBe(open.id);
    expect(kept.filter(({ text }) => isRule(text) || text.includes("evil.example"))).toEqual([]);
  });
});

describe("prompts", () => {
  test.each(attacks)("$name: the text stands between two marks and nowhere else", (attack) => {
    const { turns } = attack;
    const flat = turns.map(({ n, prompt, answers, tools }) => ({
      n,
      prompt,
      tools,
      answer: answers.at(-1) ?? null,
      before: [attack.wanted],
    }));
    const innocent = [{ n: 1, prompt: "hello", answers: [], answer: null, tools: [], before: [] }];
    const pairs: readonly (readonly [RenderedPrompt, RenderedPrompt])[] = [
      [evaluatePrompt.render({ turns: flat }), evaluatePrompt.render({ turns: innocent })],
      [observePrompt.render({ turns: flat }), observePrompt.render({ turns: innocent })],
      [
        sessionPrompt.render({
          ...inputOf(attack),
          project: attack.wanted,
          previous: { title: attack.wanted, outcome: attack.wanted, open: "" },
        }),
        sessionPrompt.render(inputOf({ turns: innocent })),
      ],
      [
        searchPrompt.render({ query: turns[0]?.prompt ?? "" }),
        searchPrompt.render({ query: "ports" }),
      ],
    ];
    for (const [hostile, plain] of pairs) {
      expect(hostile.system).toBe(plain.system);
      const lines = hostile.prompt.split("\n");
      const mark = lines.at(-1) ?? "";
      expect(mark).toMatch(/^data-[0-9a-f]{12}$/);
      expect(lines.filter((line) => line.includes(mark))).toHaveLength(3);
      expect(lines[1]).toBe(mark);
      expect(hostile.prompt).not.toMatch(/[\u001b\u200b]/);
    }
  });
});

/** All texts in a value, however deep. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
