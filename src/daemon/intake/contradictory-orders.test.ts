/** Two orders of the user that contradict each other: the later one counts, with the earlier one until settled. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";
import type { HookEnvelope } from "#domain";

const order = (prompt: string, n: number, atMs: number): HookEnvelope => ({
  v: 1,
  hook: "submit",
  clientEvent: "UserPromptSubmit",
  key: `key-${n}`,
  contentHash: `${n}`,
  anonymous: false,
  atMs,
  replayed: true,
  gated: false,
  payload: { session_id: `s-${n}`, cwd: "/home/dev/deskly", prompt, prompt_id: `p-${n}` },
});

/** The answer to the second order, and the start text of the next session. */
function told(first: string, second: string) {
  using app = openTestWorker();
  app.worker.accept([order(first, 1, app.startMs)], "socket");
  const [reply] = app.worker.accept([order(second, 2, app.startMs + 60_000)], "socket");
  const start = app.send(
    "start",
    "SessionStart",
    { session_id: "s-3", source: "startup" },
    { atMs: app.startMs + 120_000 },
  );
  const rules = start.split("\n").filter((line) => line.startsWith("- "));
  return {
    rules,
    message: reply?.message ?? "",
    context: reply?.context ?? "",
    doubts: app.store.nodes.doubts(9).length,
  };
}

test.each([
  ["from now on use tabs for indentation", "from now on use spaces for indentation"],
  ["always use tabs", "always use spaces"],
  ["from now on use pnpm", "from now on use yarn"],
  ["Always answer in German.", "From now on please answer in English."],
  ["always squash commits before merging", "never squash commits before merging"],
  ["Rule: keep functions under 40 lines", "Rule: keep functions under 60 lines"],
  ["ab jetzt einrücken mit Tabs", "ab jetzt einrücken mit Leerzeichen"],
  ["from now on use node 22", "from now on use node 24"],
  ["rule: squash merges only", "rule: rebase merges only"],
  ["今後はインデントにタブを使ってください。", "今後はインデントにスペースを使ってください。"],
])("%s / %s: one line, the later one's", (first, second) => {
  const { rules, message, doubts } = told(first, second);
  expect(rules).toHaveLength(1);
  expect(rules[0]).toContain('; earlier: "');
  expect(message).toContain('; earlier: "');
  expect(doubts).toBe(1);
});

test.each([
  ["from now on use pnpm", "from now on use vitest for tests"],
  ["rule: use axios", "rule: read the style guide instead"],
  ["never log tokens in clear text", "never log passwords in clear text"],
  ["always run the linter before you commit", "always run the tests before you push"],
])("%s / %s: both hold", (first, second) => {
  const { rules, message, doubts } = told(first, second);
  expect(rules).toHaveLength(2);
  expect(message).not.toContain("earlier");
  expect(doubts).toBe(0);
});

test.each([
  ["remember: the product owner is Marit Dahl", "remember: The product owner is Sven Oort"],
  ["记住：测试环境叫 Danxia", "记住：测试环境改叫 Huashan"],
])("%s / %s: the later fact is asked about", (first, second) => {
  const { message, doubts } = told(first, second);
  expect(message).toContain('; earlier: "');
  expect(doubts).toBe(1);
});

test.each([
  ["remember: branch feat/login belongs to Lee", "remember: branch feat/logins belongs to Moe"],
  ["remember: queue 队列甲 handles mail", "remember: queue 队列丙 handles fax"],
  ["remember: order_item is partitioned", "remember: order_items is archived"],
  ["remember: our region is eu-west-1", "remember: we moved to a new office"],
  ["remember: our region is eu-west-1", "remember: the queue moved to bills-eu-2"],
])("%s / %s: two facts", (first, second) => {
  expect(told(first, second).doubts).toBe(0);
});

test.each([
  ["always use moment for dates", "never use moment again, always use luxon for dates"],
  [
    "remember: the queue runs on Mosel",
    "remember: the queue runs on Saar now, Mosel was shut down",
  ],
])("%s / %s: the later one ends the earlier one, and its answer says so", (first, second) => {
  const { message, doubts, context } = told(first, second);
  expect(message).toMatch(/^Remembered: .*; ended: "/u);
  expect(doubts).toBe(0);
  expect(context).toBe("");
});

test.each([
  [
    "remember: the staging database listens on port 5544",
    "remember: the staging database moved to port 5610",
  ],
  [
    "覚えておいて：ステージングのポートは 7001 です",
    "覚えておいて：ステージングのポートは 7050 に変わりました",
  ],
])("%s / %s: whoever asks later is never told the older one alone", (first, second) => {
  using app = openTestWorker();
  const ask = /[\u3040-\u30ff]/u.test(first)
    ? "ステージングのポートは何番ですか?"
    : "which port does the staging database listen on?";
  app.worker.accept([order(first, 1, app.startMs)], "socket");
  app.send("stop", "Stop", { session_id: "s-1", last_assistant_message: "Noted." });
  const [reply] = app.worker.accept([order(second, 2, app.startMs + 60_000)], "socket");
  expect(reply?.context).not.toMatch(/5544|7001/u);
  const [answer] = app.worker.accept([order(ask, 3, app.startMs + 120_000)], "socket");
  expect(answer?.context).toMatch(/^- .*(?:5610|7050)/mu);
  expect(answer?.context).not.toMatch(/^- (?!.*(?:5610|7050)).*(?:5544|7001)/mu);
});

test("the answer that says what was remembered does not tell the older value, and asks about it", () => {
  const { message, context } = told(
    "remember that the queue of the harbour runs on Mosel",
    "remember that the queue of the harbour runs on Saar",
  );
  expect(message).toContain("earlier");
  expect(context).not.toContain('for="prompt"');
  expect(context).toContain("Over by this order:");
});
