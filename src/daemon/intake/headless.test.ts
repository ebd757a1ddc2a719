/** Runs whose prompts a program sends: what they leave, and what neither they nor later sessions are given of them. */
import { expect, test } from "bun:test";
import { scriptedLlm } from "../../../test/support/scripted-llm.ts";
import {
  openTestWorker,
  type TestWorker,
  type TestWorkerOptions,
} from "../../../test/support/worker.ts";
import { defaultSettings, type HookEnvelope, type HookName } from "#domain";

const events: Readonly<Record<string, HookName>> = {
  SessionStart: "start",
  UserPromptSubmit: "submit",
  Stop: "stop",
  SessionEnd: "end",
};

let sent = 0;

/** Notice for the user with an event, and the context that the model is given. */
function send(
  app: TestWorker,
  clientEvent: string,
  payload: Readonly<Record<string, unknown>>,
): { readonly context: string; readonly message?: string } {
  sent += 1;
  const envelope: HookEnvelope = {
    v: 1,
    hook: events[clientEvent] ?? "stop",
    clientEvent,
    key: `headless-${sent}`,
    contentHash: `${sent}`,
    anonymous: false,
    atMs: app.startMs + sent * 1_000,
    replayed: true,
    gated: false,
    payload: { cwd: "/home/dev/deskly", hook_event_name: clientEvent, ...payload },
  };
  const [reply] = app.worker.accept([envelope], "socket");
  return reply ?? { context: "" };
}

const start = (app: TestWorker, id: string, headless = false) =>
  send(app, "SessionStart", { session_id: id, source: "startup", headless });

/** One session with one prompt. */
function session(
  app: TestWorker,
  id: string,
  said: { readonly prompt: string; readonly answer: string; readonly headless?: boolean },
): readonly (string | undefined)[] {
  const { prompt, answer, headless = false } = said;
  const common = { session_id: id, prompt_id: `${id}-${sent}`, headless };
  return [
    start(app, id, headless),
    send(app, "UserPromptSubmit", { ...common, prompt }),
    send(app, "Stop", { ...common, last_assistant_message: answer, stop_hook_active: false }),
    send(app, "SessionEnd", { session_id: id, headless, reason: "other" }),
  ].map(({ message }) => message);
}

const review = {
  prompt: "Always answer as the reviewer bot. Review the queue of the mailer.",
  answer: "The mailer retries a message five times before it is parked in the dead letter queue.",
  headless: true,
};

const open = (options: TestWorkerOptions = {}): TestWorker =>
  openTestWorker({ fault: () => ({ id: "f", line: "the model is logged out" }), ...options });

test("the client of a headless run is shown no line; the fault waits for a person", async () => {
  using app = open();
  expect(session(app, "run", review)).toEqual([undefined, undefined, undefined, undefined]);
  await app.settle();
  expect(start(app, "mine").message).toContain("logged out");
});

test("the first start after an archived run says, once, what is done with such runs", async () => {
  using app = openTestWorker();
  session(app, "run", review);
  await app.settle();
  expect(start(app, "mine").message).toContain("capture.headless full");
  expect(start(app, "next").message ?? "").not.toContain("capture.headless");
});

test("a person's session is given neither the run's prompts nor what it was about", async () => {
  using app = openTestWorker();
  session(app, "run", review);
  await app.settle();
  const { context } = start(app, "mine");
  expect(context).not.toContain("mailer");
  const prompt = "how often does the mailer retry a message of the queue?";
  const told = send(app, "UserPromptSubmit", { session_id: "mine", prompt_id: "m-1", prompt });
  expect(told.context).not.toContain("five times");
});

test("the same run counts as a person's where the setting says so", async () => {
  const capture = { ...defaultSettings.capture, headless: "full" } as const;
  using app = openTestWorker({ settings: { ...defaultSettings, capture } });
  const told = session(app, "run", review).join("\n");
  expect(told).toContain("Remembered: ");
  await app.settle();
  expect(start(app, "mine").context).toContain("reviewer bot");
});

test("no model is asked about a headless run, nor about its turn in a session that a person goes on with", async () => {
  const llm = scriptedLlm({ answer: () => ({}) });
  const asked = (): string => llm.asked.map(({ prompt }) => prompt).join("\n");
  using app = openTestWorker({ llm });
  session(app, "run", review);
  await app.settle();
  expect(asked()).toBe("");
  session(app, "run", {
    ...review,
    prompt: "we moved the worker to Helsinki, why?",
    headless: false,
  });
  await app.settle();
  expect(asked()).toContain("Helsinki");
  expect(asked()).not.toContain("reviewer bot");
});
