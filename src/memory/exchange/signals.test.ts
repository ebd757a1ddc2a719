/** What of a prompt is kept at once, without a model, in the languages that people write. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "./exchange-fixtures.ts";
import { signalsOf } from "./signals.ts";

const kept = (prompt: string): readonly string[] =>
  signalsOf(turnOf(prompt)).map(({ category, tags }) => `${tags.join()} in ${category}`);

describe("asked to be kept, a standing rule, a decision", () => {
  test.each([
    ["remember that our CI runs on Buildkite", "remember in entities"],
    ["always run the linter before you commit", "rule in preferences"],
    ["I prefer functional components over classes", "rule in preferences"],
    ["we decided to use Postgres for the ledger", "decision in events"],
    ["thanks. remember that the importer reads src/mail.ts first", "remember in entities"],
    ["merk dir, dass die Staging-Datenbank auf Port 6432 läuft", "remember in entities"],
    ["ab jetzt bitte immer auf Deutsch antworten", "rule in preferences"],
    ["retiens que la base de staging écoute sur le port 6432", "remember in entities"],
    ["à partir de maintenant réponds toujours en français", "rule in preferences"],
    ["on a décidé de garder Postgres pour les factures", "decision in events"],
    ["recuerda que el servidor de pruebas está en el puerto 6432", "remember in entities"],
    ["a partir de ahora responde siempre en español", "rule in preferences"],
    ["lembra que o banco de staging roda na porta 6432", "remember in entities"],
    ["a partir de agora sempre rode os testes antes do commit", "rule in preferences"],
    ["decidimos usar Postgres para as faturas", "decision in events"],
    ["запомни: тестовая база слушает порт 6432", "remember in entities"],
    ["мы решили использовать Postgres для счетов", "decision in events"],
    ["记住：测试数据库在6432端口", "remember in entities"],
    ["覚えておいて：ステージングのDBはポート6432です", "remember in entities"],
  ])("%s", (prompt, expected) => {
    expect(kept(prompt)).toEqual([expected]);
  });
});

test("news above a line with a secret is kept", () => {
  const prompt = "remember that the vault is in Berlin\nthe admin password is [redacted:password]";
  expect(kept(prompt)).toEqual(["remember in entities"]);
});

describe("not kept", () => {
  test.each([
    [
      "a label whose key was taken out",
      "please note this for later: map api key\n[redacted:secret]",
    ],
    ["a table whose cells were", "note this for later: user,password\nbob,[redacted:password]"],
    ["what is left of a private block", "please note this for later: pri"],
    ["a question", "do you remember what we decided about Postgres?"],
    ["a question for leave", "should we always use tabs?"],
    ["a question in German", "warum läuft das nie beim ersten Mal?"],
    ["somebody else's words", 'he said "always use tabs" yesterday'],
    ["a code span", "`always use tabs in here` is what the linter says"],
    ["a quoted line", "> always use tabs in this project"],
    ["a negation", "don't always use tabs"],
    ["no decision", "we decided nothing yet, let me think"],
    ["how things stand", "it always fails on the second run"],
    ["how things stand, in German", "das schlägt immer noch fehl"],
    ["how things stand, in Portuguese", "sempre falha na segunda vez"],
    ["how things stand, in Russian", "тест всегда падает со второго раза"],
    ["how things stand, in Chinese", "这个测试总是第二次失败"],
    ["how things stand, in Japanese", "このテストはいつも2回目に失敗する"],
    ["an order for once", "please fix the login page and run the tests"],
    ["idle talk", "I never got that test to pass"],
    ["a wish of the moment", "I'd like to still switch to v6"],
    ["three words", "always use tabs"],
    ["a secret", "remember that the token is [redacted:token] for staging"],
    ["a pasted log", "it broke:\n```\nERROR always restart the worker from now on\n```"],
    [
      "a list that is introduced as somebody's text",
      "here's our AGENTS.md from upstream:\n\n- Always run ./qq.sh before commits\n- Never use qq in here\n- remember: tabs only in the parser\n\nis it good?",
    ],
    ["what is to be forgotten", "/continuity:forget that we never deploy on Fridays"],
  ])("%s: %s", (_, prompt) => {
    expect(kept(prompt)).toEqual([]);
  });

  test("what a program or the agent wrote", () => {
    const notice = "<task-notification>always use tabs in this project</task-notification>";
    expect(kept(notice)).toEqual([]);
    const answer = "From now on I always run the linter before I commit.";
    expect(signalsOf(turnOf("ok", { answer }))).toEqual([]);
    expect(signalsOf(turnOf(null, { answer }))).toEqual([]);
  });
});

test("a memory is the user's words, without what asks for it, and says where they stand", () => {
  const prompt = "remember that our CI runs on Buildkite";
  expect(signalsOf(turnOf(prompt, { turn: 7, branch: "main" }))).toMatchObject([
    {
      l0: "our CI runs on Buildkite",
      origin: "user",
      maker: "signal",
      project: "github.com/deskly/deskly",
      branch: "main",
      evidence: { turn: 7, quote: prompt },
    },
  ]);
});

test.each([
  "Also remember: the delta retention is 21 days.",
  "and remember that the delta retention is 21 days.",
  "btw, please remember that the delta retention is 21 days.",
  "ok remember: the delta retention is 21 days.",
  "and also remember that the delta retention is 21 days.",
  "please look at this, and remember that the delta retention is 21 days.",
])("%s is kept without what asks for it", (prompt) => {
  expect(signalsOf(turnOf(prompt)).map(({ l0 }) => l0)).toEqual([
    "the delta retention is 21 days.",
  ]);
});

test("what is said before the order and is more than a hint at the paste stays", () => {
  const [kept] = signalsOf(turnOf("keep times in UTC, and remember that staging has none"));
  expect(kept?.l0).toContain("UTC");
});

test("a rule holds in its project unless the words say everywhere", () => {
  const [here] = signalsOf(turnOf("from now on answer in German in this repo"));
  const [everywhere] = signalsOf(turnOf("from now on answer in German in all my projects"));
  expect([here?.project, everywhere?.project]).toEqual(["github.com/deskly/deskly", null]);
});

test("at most five of one prompt, the same ones each time", () => {
  const prompt = "api web ledger search mail billing stock"
    .split(" ")
    .map((name) => `remember that ${name} runs on host ${name}-01.`)
    .join(" ");
  const found = signalsOf(turnOf(prompt));
  expect(found).toHaveLength(5);
  expect(signalsOf(turnOf(prompt))).toEqual(found);
});
