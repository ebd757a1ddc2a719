/** Invented sessions of any length, several side by side: for what a conversation costs as it grows. */
import type { openTestWorker } from "./worker.ts";

type App = ReturnType<typeof openTestWorker>;

const parts = ["importer", "scheduler", "invoice job", "booking view", "seat map", "mailer"];
const facts = [
  (n: number) => `we decided that the ${part(n)} keeps its data for ${20 + n} days`,
  (n: number) => `remember that the ${part(n)} of room ${n} listens on port ${6_000 + n}`,
  (n: number) => `no, that is wrong: the ${part(n)} must not retry more than ${2 + (n % 5)} times`,
];
const part = (n: number): string => parts[n % parts.length] ?? "importer";

/** `promptOf` gives the prompt of turn n: work mostly, and now and then something worth keeping. */
const promptOf = (n: number): string =>
  n % 4 === 0
    ? `${facts[n % facts.length]?.(n) ?? ""}. then go on with the ${part(n + 1)}`
    : `the test of the ${part(n)} for case ${n} fails since the rename, have a look at the imports first and tell me what you find`;

const answerOf = (n: number): string =>
  `I looked at the ${part(n)}: case ${n} failed because the import pointed to the old path. ` +
  `I changed it in src/${part(n).replaceAll(" ", "-")}.ts and ran the tests; all ${n + 12} pass now. ` +
  `Next I would look at the ${part(n + 1)}, which still uses the old name in two places.`;

export interface LongSession {
  readonly id: string;
  readonly turns: number;
  readonly toolsPerTurn: number;
}

function playTurn(app: App, { id, toolsPerTurn }: LongSession, n: number): void {
  const common = { session_id: id, prompt_id: `${id}-${n}` };
  app.send("submit", "UserPromptSubmit", { ...common, prompt: promptOf(n) });
  for (let call = 0; call < toolsPerTurn; call += 1)
    app.send("tool", "PostToolUse", {
      ...common,
      tool_name: call % 3 === 0 ? "Edit" : "Bash",
      tool_input:
        call % 3 === 0
          ? { file_path: `/home/dev/deskly/src/${part(n + call).replaceAll(" ", "-")}.ts` }
          : { command: `pnpm vitest run test/${part(n + call).replaceAll(" ", "-")}.test.ts` },
      tool_response: { stdout: "ok", stderr: "" },
      tool_use_id: `${id}-${n}-${call}`,
    });
  app.send("stop", "Stop", {
    ...common,
    last_assistant_message: answerOf(n),
    stop_hook_active: false,
  });
}

/** Plays sessions side by side, turn by turn, each to its own end; then all fall silent. */
export async function playSessions(app: App, sessions: readonly LongSession[]): Promise<void> {
  const longest = Math.max(...sessions.map(({ turns }) => turns));
  for (let n = 1; n <= longest; n += 1) {
    for (const session of sessions.filter(({ turns }) => n <= turns)) playTurn(app, session, n);
    await app.settle();
  }
  app.worker.runDueNow();
  await app.settle();
}
