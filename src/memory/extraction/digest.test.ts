import { describe, expect, test } from "bun:test";
import { recorded, type SaidTurn } from "../../../test/support/memory/turns.ts";
import { openEndsOf } from "./open-closed.ts";
import { outcomeOf, sessionWork, titleFor, titleOf } from "./digest-title.ts";

const digest = (...said: readonly SaidTurn[]) => {
  const material = recorded(said);
  const { turns, toolUses } = material;
  const work = sessionWork(material);
  const title = titleOf(turns, work);
  return {
    title,
    outcome: outcomeOf(turns, work, title),
    open: openEndsOf(turns, toolUses),
  };
};

const asked = (...prompts: readonly string[]): string =>
  digest(...prompts.map((prompt) => ({ prompt, answer: "Understood." }))).title;

describe("the title", () => {
  test("is the last request that the agent worked on", () => {
    const tools = ["Edit src/winch.ts"];
    expect(
      digest(
        { prompt: "explain the crane simulator to me", answer: "It swings." },
        { prompt: "fix the winch of the simulator", answer: "Fixed.", tools },
        { prompt: "ok, continue", answer: "Done.", tools },
        { prompt: "what does a winch look like in winter?", answer: "White." },
      ).title,
    ).toBe("Fix the winch of the simulator");
  });

  test("is the last request that says something, where nothing was worked on", () => {
    expect(asked("hi!", "move the tide table to UTC", "/review", "thanks")).toBe(
      "Move the tide table to UTC",
    );
    expect(asked("commit", "fix lint")).toBe("Fix lint");
    expect(asked("/review PR-12", "/clear")).toBe("");
  });

  test("of a command is what stands behind its name, where that is more than an argument", () => {
    expect(asked("/goal simplify this repo, and backfill the tests")).toBe(
      "Simplify this repo, and backfill the tests",
    );
  });

  test("is the heading of a plan that was carried out", () => {
    const prompt =
      "Implement the following plan:\n\n# Plan: Dampen the swinging `crane`\n\n## Context\nIt swings.";
    expect(digest({ prompt, answer: "Done.", tools: ["Edit src/crane.ts"] }).title).toBe(
      "Dampen the swinging crane",
    );
  });

  test("is the first commit's subject, which tells more than chat, unless that is of a word or two", () => {
    const said = {
      prompt: "hm, the second one then, and for the other one as well",
      answer: "Ok.",
    };
    const commits = ["Show the tide of both quays", "Colour the ebb"].map(
      (subject) => `Bash git commit -m "${subject}"`,
    );
    expect(digest({ ...said, tools: commits })).toMatchObject({
      title: "Show the tide of both quays",
      outcome: "Committed: Colour the ebb.",
    });
    const order = { prompt: "dampen the crane in the wind", answer: "The crane is calm." };
    expect(digest({ ...order, tools: ['Bash git commit -m "wip"'] }).title).toBe(
      "Dampen the crane in the wind",
    );
  });

  test.each([
    ["`src/a.ts` should export the parser", "`src/a.ts` should export the parser"],
    [
      "Move the tide table of the harbour to UTC. It was local time.",
      "Move the tide table of the harbour to UTC",
    ],
    ["I cannot read this. Use early returns.", "I cannot read this. Use early returns"],
    [
      "Did it even sail? The crane log of Tuesday is empty and the berth planner shows nothing for a week.",
      "Did it even sail? The crane log of Tuesday is empty and the berth planner shows nothing for a week",
    ],
    [
      "move the tide table to UTC, the export writes the wrong hour every night and people complain about it at the pier",
      "Move the tide table to UTC",
    ],
    [
      "请把潮汐表改成UTC，因为导出每天晚上都写错时间，用户已经抱怨了三次，需要尽快修复",
      "请把潮汐表改成UTC，因为导出每天晚上都写错时间，用户已经抱怨了三次",
    ],
  ])(
    "%# is the first sentence, cut at a mark when it is long, and more behind a short one",
    (prompt, title) => {
      expect(titleFor(prompt)).toBe(title);
    },
  );

  test("never has more than twenty words", () => {
    const words =
      "rename the berth planner of the old harbour office in the city of Bergen to the quay planner of the new one by the bridge";
    for (let n = 17; n <= 25; n += 1) {
      const title = titleFor(words.split(" ").slice(0, n).join(" "));
      expect(title.split(" ").length).toBeLessThanOrEqual(20);
      expect(words).toContain(title.slice(1));
    }
  });
});

describe("the outcome", () => {
  test("is what was edited and how the answer ends, without tables, lists, questions and code", () => {
    const answer = `I moved the tide table to UTC in \`src/tides.ts\`. The export is not updated yet.

| file | changed |
|---|---|
| a.ts | added |

\`\`\`
fixed = true
\`\`\`
- one more thing
Shall I update it?`;
    const tools = ["Edit src/tides.ts"];
    expect(digest({ prompt: "move the tide table to UTC", answer, tools }).outcome).toBe(
      "Edited: src/tides.ts. The export is not updated yet.",
    );
  });

  test("names the commits; a turn of words says nothing of what became of it", () => {
    const work: SaidTurn = {
      prompt: "simulate the winch in winter",
      answer: "I added the winch to the simulator.",
      tools: ['Bash git commit -m "Simulate the winch in winter"'],
    };
    for (const prompt of ["perfect, thanks", "no, the damping must stay"])
      expect(digest(work, { prompt, answer: "Understood." }).outcome).toBe(
        "Committed. I added the winch to the simulator.",
      );
  });

  test("is no announcement before a call, no word or two, and nothing that an interrupted turn said", () => {
    const tools = ["Edit src/tides.ts"];
    const work: SaidTurn = { prompt: "move the tides", answer: "The export still fails.", tools };
    const outcome = "Edited: src/tides.ts. The export still fails.";
    for (const answer of ["All pass.", "Committed as `1a2b3c4` on `tides`.", "1. Read it"])
      expect(digest(work, { prompt: "go on", answer, tools }).outcome).toBe(outcome);
    const answer = "Now let me write the table of the tides.";
    expect(digest(work, { prompt: "go on", answer, tools, interrupted: true }).outcome).toBe(
      outcome,
    );
    expect(
      digest(work, { prompt: "go on", answer, tools: [...tools, `Remark ${answer}`] }).outcome,
    ).toBe(outcome);
  });

  test("tells no plan or scratch file, and nothing of a session of questions", () => {
    const notes = ["Edit /home/mira/.claude/plans/berths.md", "Edit /tmp/berths.ts"];
    expect(digest({ prompt: "plan the berths", answer: "Planned.", tools: notes }).outcome).toBe(
      "",
    );
    expect(digest({ prompt: "what is a tide?", answer: "The rise of the sea." }).outcome).toBe("");
  });

  test.each([
    ['git commit -qm "Don\'t crash on empty input"', "Committed: Don't crash on empty input."],
    ['python -m pytest -q && git commit -qm "Fix the crane"', "Committed: Fix the crane."],
    ["git commit -m winch && git push", "Committed: winch."],
    ['chmod -m 1; git commit -m "$MSG"', ""],
  ])("the subject of %p", (command, outcome) => {
    const material = recorded([{ prompt: "x", tools: [`Bash ${command}`] }]);
    expect(outcomeOf(material.turns, sessionWork(material), "Another title")).toBe(outcome);
  });
});

describe("open ends", () => {
  test("are the last command when it failed; one that only looked does not count", () => {
    const open = (tool: string) =>
      digest({ prompt: "build it", answer: "Ok.", tools: [tool] }).open;
    expect(open("Bash make !! ld: undefined symbol foo; stop")).toEqual([
      "Still failing: make (ld: undefined symbol foo, stop)",
    ]);
    expect(open("Bash make")).toEqual([]);
    expect(open("Bash grep -rn foo src !! exit 1")).toEqual([]);
  });

  test("are an order that was interrupted", () => {
    expect(digest({ prompt: "migrate the users table", interrupted: true }).open).toEqual([
      "Not finished: Migrate the users table",
    ]);
  });

  test("are nothing that an answer says", () => {
    for (const answer of [
      "Two tests still fail: cart.spec.ts and tax.spec.ts. Next I will fix src/tax.ts.",
      "Both would do. Should I use Kafka or NATS?",
      "Die Migration fehlt noch.",
    ])
      expect(digest({ prompt: "x", answer, tools: ["Edit a.ts"] }).open).toEqual([]);
  });

  test.each([
    ["thanks", "You're welcome!"],
    ["gracias, eso es todo por hoy", "¡Hasta mañana!"],
    ["谢谢，今天就到这里", "明天见！"],
  ])("%p as a last prompt changes no digest", (prompt, answer) => {
    const work: SaidTurn = {
      prompt: "make the tests of the cart pass",
      answer: "They fail.",
      tools: ["Edit src/cart.ts", "Bash bun test !! 2 failed"],
    };
    expect(digest(work, { prompt, answer })).toEqual(digest(work));
  });

  test("are over with the next turn that works", () => {
    expect(
      digest(
        { prompt: "fix the cart", answer: "No.", tools: ["Bash bun test !! 2 failed"] },
        { prompt: "go on", answer: "Yes.", tools: ["Bash bun test"] },
      ).open,
    ).toEqual([]);
  });
});
