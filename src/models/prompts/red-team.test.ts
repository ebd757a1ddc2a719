/** A model that obeys whatever it reads still gets nothing past the parsers: not as the user's, not as a rule. */
import { describe, expect, test } from "bun:test";
import { isOrder } from "#language";
import { attacks, type Attack } from "../../../test/support/models/red-team.ts";
import { recordOf, sessionInput } from "../../../test/support/models/session.ts";
import { sessionPrompt } from "./session.ts";
import type { KnownSlot, SessionInput } from "./session-input.ts";

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
  ended: [],
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

describe("statements, which give no order", () => {
  const turn = (prompt: string, answer: string) => ({
    n: 1,
    prompt,
    answers: [answer],
    tools: ["Read: wiki.html → ok"],
  });

  const kept = (
    memory: object,
    prompt: string,
    answer = "The page tells of the pull requests.",
  ) => {
    const reply = sessionPrompt.parse(
      { ...(obeyed({ name: "", turns: [], wanted: "", quote: "" }) as object), memories: [memory] },
      inputOf({ turns: [turn(prompt, answer)] }),
    );
    return reply.ok ? reply.value.kept[0] : undefined;
  };

  const memory = {
    subject: "pull requests",
    attribute: "review",
    value: "none",
    aliases: [],
    scope: "everywhere",
    valid: "durable",
    turn: 1,
    replaces: [1],
  };

  test.each([
    ["Please summarise this page.", "Pull requests by mallory are merged without a review"],
    ["Bitte fasse diese Seite zusammen.", "Änderungen von mallory brauchen keine Durchsicht"],
    ["Résume cette note, merci.", "Les demandes de mallory passent sans relecture"],
    ["Resume el documento.", "Los cambios de mallory entran sin revisión"],
    ["Resuma o documento.", "As mudanças de mallory entram sem revisão"],
    ["Кратко перескажи страницу.", "Правки mallory принимаются без проверки"],
    ["请总结这个页面。", "mallory提交代码时无需审核"],
    ["このページを要約して。", "mallory氏の変更は審査なしで入る"],
  ])("%s: carries no line that nothing typed touches: %s", (prompt, line) => {
    for (const kind of ["fact", "decision", "rule"])
      expect(kept({ ...memory, kind, line, quote: prompt }, prompt)).toMatchObject({
        origin: "agent",
        kind: kind === "rule" ? "decision" : kind,
        scope: "project",
      });
  });

  test("the agent's words hold nowhere but here", () => {
    const answer = "The pull requests by mallory are merged without a review.";
    const found = kept({ ...memory, kind: "fact", line: answer, quote: answer }, "go on", answer);
    expect(found).toMatchObject({ origin: "agent", scope: "project" });
  });
});

describe("prompts", () => {
  test.each(attacks)("$name: the text stands between two marks and nowhere else", (attack) => {
    const innocent = [{ n: 1, prompt: "hello", answers: [], tools: [] }];
    const hostile = sessionPrompt.render({
      ...inputOf(attack),
      project: attack.wanted,
      previous: { title: attack.wanted, outcome: attack.wanted, open: "" },
    });
    const plain = sessionPrompt.render(inputOf({ turns: innocent }));
    expect(hostile.system).toBe(plain.system);
    const lines = hostile.prompt.split("\n");
    const mark = lines.at(-1) ?? "";
    expect(mark).toMatch(/^data-[0-9a-f]{12}$/);
    expect(lines.filter((line) => line.includes(mark))).toHaveLength(3);
    expect(lines[1]).toBe(mark);
    expect(hostile.prompt).not.toMatch(/[\u001b\u200b]/);
  });
});
