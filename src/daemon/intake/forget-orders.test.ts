/** "Forget that …" as it is typed: ends the one memory that it names, undoably, and nothing else. */
import { expect, test } from "bun:test";
import type { HookEnvelope } from "#domain";
import { openTestWorker } from "../../../test/support/worker.ts";

const known = [
  "the demo account is called heron",
  "staging listens on port 5432",
  "never push to main",
  "always use tabs for indentation",
  "die Sicherungen liegen in Falkenstein",
  "le compte de démo s'appelle héron",
  "演示账号叫苍鹭",
];

const submitAt = (atMs: number, prompt: string): HookEnvelope => ({
  v: 1,
  hook: "submit",
  clientEvent: "UserPromptSubmit",
  key: prompt,
  contentHash: prompt,
  anonymous: false,
  atMs,
  replayed: true,
  gated: false,
  payload: { session_id: "s-1", cwd: "/home/dev/deskly", prompt, prompt_id: prompt },
});

function told(prompt: string, lines: readonly string[] = known) {
  using app = openTestWorker();
  for (const line of lines) app.remember(line);
  const event = submitAt(app.startMs, prompt);
  const [reply] = app.worker.accept([event], "socket");
  const holds = new Set(app.memories().map(({ l0 }) => l0));
  const ended = lines.filter((line) => !holds.has(line));
  return { ended, message: reply?.message ?? "" };
}

test.each([
  ["forget that the demo account is called heron", known[0]],
  ["Forget what I told you about the demo account.", known[0]],
  ["forget the rule about tabs", known[3]],
  ["forget that staging listens on port 5432", known[1]],
  ["Forget what I told you about the staging port.", known[1]],
  ["forget the rule never push to main", known[2]],
  ["ok, forget that we use tabs for indentation. Now fix the parser.", known[3]],
  ["Vergiss, dass die Sicherungen in Falkenstein liegen.", known[4]],
  ["oublie que le compte de démo s'appelle héron", known[5]],
  ["忘记演示账号叫苍鹭", known[6]],
])("%s: ends it, and says so", (prompt, line) => {
  const { ended, message } = told(prompt);
  expect(ended).toEqual([line ?? ""]);
  expect(message).toStartWith(`Ended: ${line} (#`);
  expect(message).toContain("undo` brings it back");
});

test.each([
  ["Forget what I just said about the demo account.", "the demo account"],
  ["forget what I said about the demo account just now, and go on", "the demo account"],
  ["Vergiss, was ich gerade über das Demokonto gesagt habe.", "das Demokonto"],
  ["Oublie ce que je viens de dire sur le compte de démo et reprenons.", "le compte de démo"],
  ["olvida lo que acabo de decir sobre la cuenta demo", "la cuenta demo"],
  ["Esquece o que eu acabei de dizer sobre a conta demo.", "a conta demo"],
  ["Забудь то, что я только что сказал про демо-аккаунт.", "демо-аккаунт"],
  ["忘掉我刚才说的关于演示账号的话", "演示账号"],
  ["デモアカウントについて今言ったことは忘れて", "デモアカウント"],
])("%s: ends all that the session said about %s, and keeps nothing", (prompt, about) => {
  using app = openTestWorker();
  const lines = [`${about} = heron-1`, `${about} = falcon-2 (EU)`];
  const [other] = known;
  app.remember(`${about} = earlier-3`);
  app.remember(other ?? "");
  app.worker.accept(
    lines.map((line) => submitAt(app.startMs, `/remember ${line}`)),
    "socket",
  );
  expect(app.memories()).toHaveLength(4);
  const [reply] = app.worker.accept([submitAt(app.startMs + 1_000, prompt)], "socket");
  expect(app.memories().map(({ l0 }) => l0)).toEqual([`${about} = earlier-3`, other ?? ""]);
  expect(reply?.message ?? "").toStartWith("Ended: ");
});

test("ends none where several may be meant, and says what to do", () => {
  const lines = ["the demo account is called heron", "the demo account is called falcon"];
  const { ended, message } = told("forget what I said about the demo account", lines);
  expect(ended).toEqual([]);
  expect(message).toContain("more than one memory may be meant");
});

test.each([
  ["forget what i said about Oakmoor, it was confidential", "Oakmoor"],
  ["can you forget what I told you about Oakmoor again?", "Oakmoor"],
  ["kannst du das wieder vergessen, was ich über Oakmoor gesagt habe?", "Oakmoor"],
  ["vergiss alles, was ich über Oakmoor gesagt habe", "Oakmoor"],
  ["oublie ce que je viens de dire sur Oakmoor, c'était confidentiel", "Oakmoor"],
  ["tu peux oublier ce que j'ai dit sur Oakmoor ?", "Oakmoor"],
  ["¿puedes olvidar lo que dije sobre Oakmoor?", "Oakmoor"],
  ["esquece o que eu disse sobre Oakmoor, era confidencial", "Oakmoor"],
  ["можешь забыть, что я говорил про Окмур?", "Окмур"],
  ["能忘掉我说过的关于橡木的内容吗？", "橡木"],
  ["オークについて言ったことは忘れてください、機密です", "オーク"],
])("%s: names the command that deletes what no memory says", (prompt, about) => {
  const { ended, message } = told(prompt);
  expect(ended).toEqual([]);
  expect(message).toContain(`forget '${about}'\` finds and deletes what was said`);
});

test.each([
  ["can you forget that the demo account is called heron?", known[0]],
  ["kannst du bitte vergessen, was ich über die Sicherungen gesagt habe?", known[4]],
  ["puedes olvidar lo que dije sobre staging port?", known[1]],
])("%s: a polite request ends it as well", (prompt, line) => {
  expect(told(prompt).ended).toEqual([line ?? ""]);
});

test.each([
  "forget it",
  "forget the staging port, do prod first",
  "forget the demo account, use your own",
  "forget tabs",
  "forget that",
  "don't forget that the demo account is called heron",
  "never forget that the demo account is called heron",
  "vergiss nicht, dass die Sicherungen in Falkenstein liegen",
  "n'oublie pas que le compte de démo s'appelle héron",
  "别忘记演示账号叫苍鹭",
  "did you forget that the demo account is called heron?",
  "forget that staging listens on port 6432",
  "forget the header, look at the footer of the demo",
  "forget about the tests for now",
  'the page says "forget that the demo account is called heron"',
  "He wrote: forget that the demo account is called heron",
  "please don't ever forget the demo account",
])("%s: ends nothing", (prompt) => {
  const { ended, message } = told(prompt);
  expect(ended).toEqual([]);
  expect(message).not.toContain("Ended");
});
