/** Session starts with past sessions in the store, and prompts with what is found for them. For tests only. */
import { type CheckpointFields, defaultSettings, emptyCheckpoint } from "#domain";
import { msPerDay } from "#kit";
import { embedder, type Fixture, home, nowMs, openFixture } from "./finding.ts";
import { gatherPrompt } from "../../../src/memory/injection/gather.ts";
import type { PromptEvidence, PromptInput } from "../../../src/memory/injection/prompt-types.ts";
import { composeStart } from "../../../src/memory/injection/start.ts";
import {
  collectStartSnapshot,
  type StartAsk,
} from "../../../src/memory/injection/start-collect.ts";
import type { ComposedStart } from "../../../src/memory/injection/start-types.ts";

export const start = (fixture: Fixture, extra: Partial<StartAsk> = {}): ComposedStart =>
  composeStart(
    collectStartSnapshot(fixture.store, {
      source: "startup",
      sessionId: "now",
      project: home,
      projectName: "ferry",
      branch: "harbour",
      nowMs,
      tokensMax: 450,
      command: null,
      ...extra,
    }),
  );

export interface Past extends Partial<CheckpointFields> {
  readonly daysAgo: number;
  readonly project?: string;
  readonly branch?: string | null;
}

/** A past session of the project with one turn and one checkpoint. */
export function addSession(fixture: Fixture, sessionId: string, past: Past): void {
  const { sessions } = fixture.store;
  const { daysAgo, project = home, branch = "harbour", ...rest } = past;
  const atMs = nowMs - daysAgo * msPerDay;
  sessions.upsert({ sessionId, project, projectName: "ferry", branch, atMs });
  sessions.openTurn({ sessionId, promptId: sessionId, prompt: "go", atMs });
  sessions.addCheckpoint({
    sessionId,
    project,
    atMs,
    trigger: "quiet",
    l0: rest.request ?? "",
    fields: { ...emptyCheckpoint, ...rest },
  });
}

const relation = {
  uri: "mem://user/profile/communication",
  category: "profile",
  project: null,
} as const;

/** A project of some weeks. */
export function openHarbour(): Fixture {
  const fixture = openFixture();
  fixture.add("Ada wants short answers", {
    ...relation,
    origin: "agent",
    l1: "- Prefers bullet points.\n- Dislikes apologies.",
  });
  fixture.add("User: I work in Bergen in the mornings", { category: "profile", project: null });
  fixture.add("ferry: use pnpm here, never npm", { category: "preferences", daysAgo: 3 });
  fixture.add("Answer in English", { category: "preferences", project: null, daysAgo: 400 });
  fixture.add("Retry uploads with jitter", {
    category: "patterns",
    origin: "agent",
    slot: "uploads · retry",
  });
  fixture.add("We keep SQLite for the timetable, Postgres was too much", {
    category: "events",
    tags: ["decision"],
    slot: "timetable · database",
    daysAgo: 2,
  });
  fixture.add("The export failed since the clock was in local time", {
    slot: "export · failure",
    daysAgo: 8,
  });
  fixture.add("Tide sensor gateway listens on 7021", {
    category: "entities",
    slot: "tide sensor gateway · port",
    daysAgo: 40,
  });
  addSession(fixture, "one", {
    daysAgo: 9,
    request: "Fix the timetable export",
    completed: "Export writes UTC. The user accepted it.",
  });
  addSession(fixture, "two", {
    daysAgo: 2,
    branch: "crane",
    request: "Rewrite the crane simulator",
    completed: "Committed: Simulate the winch.",
    nextSteps: "tune the damping; two tests fail",
  });
  return fixture;
}

/** A prompt in a session of the tests' project. */
export const inputOf = (prompt: string, over: Partial<PromptInput> = {}): PromptInput => ({
  prompt,
  previousAnswer: null,
  sessionId: "now",
  ancestors: [],
  homeProject: home,
  branch: null,
  projects: [],
  seen: new Set(),
  nowMs,
  inject: defaultSettings.inject,
  ...over,
});

/** Gathers the evidence for a prompt. */
export const evidenceFor = (
  { finder, store }: Fixture,
  prompt: string,
  over?: Partial<PromptInput>,
): PromptEvidence =>
  gatherPrompt({ finder, lexical: store.lexical, embedder }, inputOf(prompt, over));
