import { describe, expect, test } from "bun:test";
import { recorded, type SaidTurn } from "./checkpoint-fixtures.ts";
import { openEndsOf } from "./digest-open.ts";
import { outcomeOf } from "./digest-outcome.ts";
import { titleFor, titleOf } from "./digest-title.ts";
import { workOf } from "./digest-work.ts";

const digest = (...said: readonly SaidTurn[]) => {
  const { turns, toolUses, session } = recorded(said);
  const work = workOf({ turns, toolUses, cwd: session.cwd, filesBefore: [] });
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
  test("is the longest order of the first three turns, not a pick-up, a greeting or a command", () => {
    expect(
      asked("hi!", "continue", "/review", "please move the tide table to UTC and add a test"),
    ).toBe("Move the tide table to UTC and add a test");
    expect(asked("yes", "fix the winch", "and then rewrite the crane simulator in Rust")).toBe(
      "Rewrite the crane simulator in Rust",
    );
    expect(asked("from now on use pnpm in all packages, never npm", "the export hangs")).toBe(
      "The export hangs",
    );
    expect(asked("continue", "yes", "ok")).toBe("");
  });

  test("of a command is what stands behind its name, where that is an order", () => {
    expect(asked("/goal simplify this repo, and backfill the tests")).toBe(
      "Simplify this repo, and backfill the tests",
    );
    expect(asked("/review PR-12", "/clear")).toBe("");
  });

  test("comes from a later turn when the first three order nothing, or run errands", () => {
    expect(asked("hello", "ok", "continue", "rename berth to slip")).toBe("Rename berth to slip");
    expect(asked("commit", "push it", "fix lint", "rename berth to slip")).toBe(
      "Rename berth to slip",
    );
    expect(asked("commit", "fix lint")).toBe("Fix lint");
  });

  test("is the heading of a plan that was carried out", () => {
    const prompt =
      "Implement the following plan:\n\n# Plan: Dampen the `crane`\n\n## Context\nIt swings.";
    expect(digest({ prompt, answer: "Done.", tools: ["Edit src/crane.ts"] }).title).toBe(
      "Dampen the crane",
    );
  });

  test("is the first commit's subject, which tells more than chat, unless that is an errand", () => {
    const said = {
      prompt: "hm, the second one then, and for the other one as well",
      answer: "Done.",
    };
    const commits = ["Show the tide of both quays", "Colour the ebb"].map(
      (subject) => `Bash git commit -m "${subject}"`,
    );
    expect(digest({ ...said, tools: commits })).toMatchObject({
      title: "Show the tide of both quays",
      outcome: "Committed: Colour the ebb.",
    });
    expect(digest({ ...said, tools: commits.slice(0, 1) }).outcome).toBe("Committed.");
    const order = {
      prompt: "dampen the crane in the wind",
      answer: "The crane is dampened in the wind.",
    };
    expect(digest({ ...order, tools: ['Bash git commit -m "wip"'] }).title).toBe(
      "Dampen the crane in the wind",
    );
  });

  test("is an order that has to do with the files that were edited; without one there is none", () => {
    const chat = {
      prompt: "hm, that is not so nice",
      answer: "I see.",
      tools: ["Edit src/crane.ts"],
    };
    expect(digest(chat).title).toBe("");
    const order = {
      prompt: "the swing of the crane must be dampened",
      answer: "The swing is dampened.",
    };
    expect(digest(chat, order).title).toBe("The swing of the crane must be dampened");
    const kran = {
      prompt: "der Kran schwingt bei Wind",
      answer: "Der Kran schwingt nicht mehr, auch bei Wind.",
    };
    expect(digest(chat, kran).title).toBe("Der Kran schwingt bei Wind");
  });

  test.each([
    [
      "hey, can you please add rate limiting to the public API, since the crawler of the tide office takes it down every night?",
      "Add rate limiting to the public API",
    ],
    ["`src/a.ts` should export the parser", "`src/a.ts` should export the parser"],
    [
      "We have a problem with the crane. Fix the damping in the simulator.",
      "Fix the damping in the simulator",
    ],
    [
      "Kannst du bitte den Gezeitenplan auf UTC umstellen, weil der Export sonst jede Nacht die falsche Stunde schreibt?",
      "Den Gezeitenplan auf UTC umstellen",
    ],
    [
      "пожалуйста, перепиши симулятор крана, чтобы он не падал при ветре больше двадцати метров в секунду",
      "Перепиши симулятор крана",
    ],
    [
      "请把潮汐表改成UTC，因为导出每天晚上都写错时间，用户已经抱怨了三次，需要尽快修复",
      "把潮汐表改成UTC，因为导出每天晚上都写错时间，用户已经抱怨了三次",
    ],
  ])("%# keeps the order and ends at a clause", (prompt, title) => {
    expect(titleFor(prompt)).toBe(title);
  });

  test("never has more than twelve words, nor ends in the middle of one or on an article", () => {
    const words =
      "rename the berth planner of the old harbour office in the city of Bergen to the quay planner of the new one";
    for (let n = 13; n <= 22; n += 1) {
      const title = titleFor(words.split(" ").slice(0, n).join(" "));
      expect(title.split(" ").length).toBeLessThanOrEqual(12);
      expect(title).not.toMatch(/ (?:the|of|to|in)$/);
      expect(words).toContain(title.slice(1));
    }
  });
});

describe("the outcome", () => {
  test("is what the last answer says is done, without promises, tables, questions and code", () => {
    const answer = `Let me look at the tests.

| file | changed |
|---|---|
| a.ts | added |

\`\`\`
fixed = true
\`\`\`
I moved the tide table to UTC in \`src/tides.ts\`. I'll add metrics next. Is the export updated?`;
    expect(digest({ prompt: "move the tide table to UTC", answer }).outcome).toBe(
      "Moved the tide table to UTC in `src/tides.ts`.",
    );
  });

  test("names the commits; words of the user alone say nothing of what became of it", () => {
    const work: SaidTurn = {
      prompt: "simulate the winch",
      answer: "I added the winch to the simulator.",
      tools: ['Bash git commit -m "Simulate the winch"'],
    };
    for (const prompt of [
      "perfect, thanks",
      "no, the damping must stay",
      "don't mock the database in tests, we use testcontainers",
    ])
      expect(digest(work, { prompt, answer: "Understood." }).outcome).toBe("Committed.");
  });

  test.each([
    ["store the bookings in UTC", "Bookings are stored in UTC now."],
    ["der Export ist kaputt", "Die Tests laufen jetzt, der Export ist behoben."],
    ["l'export des marées plante", "J'ai corrigé l'export des marées."],
    ["falla la exportación de mareas", "He corregido la exportación de mareas."],
    ["a exportação das marés falha", "Corrigi a exportação das marés."],
    ["экспорт приливов сломан", "Я исправил экспорт приливов."],
    ["潮汐表导出有问题", "已修复潮汐表的导出问题。"],
    ["潮汐表のエクスポートが壊れた", "潮汐表のエクスポートを修正しました。"],
  ])("of %p is told in the language of the session", (prompt, answer) => {
    expect(digest({ prompt, answer }).outcome).toBe(answer);
    expect(digest({ prompt: "x", answer }).outcome).toBe("");
  });

  test("a commit is not told by its hash where there is more to tell", () => {
    const answer =
      "Committed and pushed `594c86a8` to `main`. The winch is now simulated, tests pass. It must not be committed twice.";
    expect(digest({ prompt: "simulate the winch", answer }).outcome).toBe(
      "The winch is now simulated, tests pass.",
    );
  });

  test("of a long answer are the files that were edited", () => {
    const long = Array.from({ length: 8 }, (_, n) => `Berth ${n} is planned.`).join(" ");
    const work = { prompt: "plan the berths", answer: `${long} I fixed the crane.` };
    expect(digest({ ...work, tools: ["Edit src/berths.ts"] }).outcome).toBe(
      "Edited: src/berths.ts.",
    );
    expect(digest(work).outcome).toBe("");
    const notes = ["Edit /home/mira/.claude/plans/berths.md", "Edit /tmp/berths.ts"];
    expect(digest({ ...work, tools: notes }).outcome).toBe("");
  });

  test.each([
    ['git commit -qm "Don\'t crash on empty input"', "Committed: Don't crash on empty input."],
    ['python -m pytest -q && git commit -qm "Fix the crane"', "Committed: Fix the crane."],
    ["git commit -m winch && git push", "Committed: winch."],
    ['chmod -m 1; git commit -m "$MSG"', ""],
  ])("the subject of %p", (command, outcome) => {
    const { turns, toolUses } = recorded([{ prompt: "x", tools: [`Bash ${command}`] }]);
    const work = workOf({ turns, toolUses, cwd: null, filesBefore: [] });
    expect(outcomeOf(turns, work, "Another title")).toBe(outcome);
  });

  test("a session of questions has none", () => {
    expect(
      digest({ prompt: "what is a tide?", answer: "A tide is the rise of the sea." }).outcome,
    ).toBe("");
  });
});

describe("open ends", () => {
  test("are what the last answer says is left, in its words", () => {
    expect(
      digest({
        prompt: "make the tests pass",
        answer:
          "I fixed the cart. Two tests still fail: cart.spec.ts and tax.spec.ts. Next I will fix the rounding in src/tax.ts.",
      }).open,
    ).toEqual([
      "Two tests still fail: cart.spec.ts and tax.spec.ts",
      "Next I will fix the rounding in src/tax.ts",
    ]);
  });

  test.each([
    ["thanks", "You're welcome!"],
    ["thanks, enough for today", "See you tomorrow!"],
    ["ok, stop for today", "Alright, stopping here."],
    ["enough for today", "Good night."],
    ["danke, das war's", "Gern geschehen, bis morgen!"],
    ["merci, à demain", "À demain !"],
    ["gracias, eso es todo por hoy", "¡Hasta mañana!"],
    ["спасибо, на сегодня всё", "До завтра!"],
    ["谢谢，今天就到这里", "明天见！"],
    ["ありがとう、今日はここまで", "お疲れさまでした。"],
  ])("%p as a last prompt changes no digest", (prompt, answer) => {
    const work: SaidTurn = {
      prompt: "make the tests of the cart pass",
      answer: "Two tests still fail: cart.spec.ts and tax.spec.ts. Next I will fix src/tax.ts.",
      tools: ["Edit src/cart.ts"],
    };
    expect(digest(work, { prompt, answer })).toEqual(digest(work));
    const silent = { ...work, tools: [] };
    expect(digest(silent, { prompt, answer })).toEqual(digest(silent));
  });

  test("are not guessed from a long answer", () => {
    const long = Array.from({ length: 8 }, (_, n) => `Berth ${n} is planned.`).join(" ");
    expect(
      digest({ prompt: "what is open?", answer: `${long} Berth 9 is not planned yet.` }).open,
    ).toEqual([]);
  });

  test("a question of the agent that nobody answered is open, an offer is not", () => {
    expect(
      digest({
        prompt: "choose a queue",
        answer: "Both would do. Should I use Kafka or NATS? Let me know if you want a table.",
      }).open,
    ).toEqual(["Should I use Kafka or NATS?"]);
    expect(
      digest({ prompt: "rename it", answer: "Renamed. Want me to also add an alias?" }).open,
    ).toEqual([]);
  });

  test("an item of a list and a clause that tells what was done are none, nor is a question without a matter", () => {
    for (const answer of [
      "Three findings:\n- The export fails when the sea is empty.\n- Pending bookings are skipped.",
      "Added a warning for when the export fails.",
      "Both would do. Which one?",
    ])
      expect(digest({ prompt: "x", answer }).open).toEqual([]);
    expect(
      digest({ prompt: "x", answer: "Fixed the cart, the tax test still fails." }).open,
    ).toHaveLength(1);
  });

  test("a failing last command comes first; one that only looked does not count", () => {
    const answer = "It does not link yet.";
    expect(
      digest({ prompt: "build it", answer, tools: ["Bash make !! ld: undefined symbol foo"] }).open,
    ).toEqual(["Still failing: make (ld: undefined symbol foo)", "It does not link yet"]);
    // What the agent does not mention is not in its way.
    expect(
      digest({ prompt: "build it", answer: "Built.", tools: ["Bash make docs !! no such rule"] })
        .open,
    ).toEqual([]);
    expect(
      digest({ prompt: "build it", answer: "Built.", tools: ["Bash grep -rn foo src !! exit 1"] })
        .open,
    ).toEqual([]);
  });

  test("what was open before the last turn is over, and what is said to be done is not open", () => {
    expect(
      digest(
        { prompt: "fix the cart", answer: "The retry test still fails." },
        { prompt: "go on", answer: "All tests pass, nothing is left open." },
      ).open,
    ).toEqual([]);
  });

  test("an order that was interrupted is not finished", () => {
    expect(digest({ prompt: "migrate the users table", interrupted: true }).open).toEqual([
      "Not finished: Migrate the users table",
    ]);
  });

  test.each([
    "Die Migration fehlt noch.",
    "Il reste à écrire la migration.",
    "Falta escribir la migración.",
    "Falta escrever a migração.",
    "Осталось написать миграцию.",
    "迁移脚本还没写。",
    "移行スクリプトはまだです。",
  ])("%p is open", (answer) => {
    expect(digest({ prompt: "x", answer }).open).toHaveLength(1);
  });

  test("there are three at most, none with a semicolon of its own", () => {
    const left = Array.from(
      { length: 6 },
      (_, n) => `Berth ${"abcdef"[n]}${n}00 is still missing; paint quay${n}.`,
    );
    const { open } = digest({ prompt: "x", answer: left.join("\n") });
    expect(open).toHaveLength(3);
    expect(open.join()).not.toContain(";");
  });
});
