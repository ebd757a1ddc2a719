/** A session at work: whole hook processes, one after the other, as the client runs them. */

export interface Hooks {
  readonly times: readonly number[];
  readonly failed: number;
}

const pauseMs = 150;

/** Runs prompts, tools and stops for so many seconds. */
export async function hookLoop(
  program: { readonly binary: string; readonly env: Readonly<Record<string, string>> },
  seconds: number,
): Promise<Hooks> {
  const times: number[] = [];
  let failed = 0;
  const endMs = performance.now() + seconds * 1_000;
  const session = `bench-${crypto.randomUUID()}`;
  for (let n = 0; performance.now() < endMs; n += 1) {
    const { event, payload } = eventAt(n);
    const startedMs = performance.now();
    const child = Bun.spawn([program.binary, "hook", event], {
      env: program.env,
      stdin: new Blob([JSON.stringify({ session_id: session, cwd: "/", ...payload })]),
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await child.exited) !== 0) failed += 1;
    times.push(performance.now() - startedMs);
    await Bun.sleep(pauseMs);
  }
  return { times, failed };
}

function eventAt(n: number): {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
} {
  const promptId = `p${Math.floor(n / 4)}`;
  if (n % 4 === 0)
    return {
      event: "submit",
      payload: {
        hook_event_name: "UserPromptSubmit",
        prompt: `which port does our payment gateway listen on, take ${n}?`,
        prompt_id: promptId,
      },
    };
  if (n % 4 === 3)
    return {
      event: "stop",
      payload: {
        hook_event_name: "Stop",
        prompt_id: promptId,
        last_assistant_message: `The gateway listens on port ${8000 + n}.`,
      },
    };
  return {
    event: "tool",
    payload: {
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_use_id: crypto.randomUUID(),
      tool_input: { command: "make test" },
      tool_response: { stdout: "ok ".repeat(200), stderr: "" },
    },
  };
}
