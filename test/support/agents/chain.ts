/**
 * Makes the events that tests send through the installed hooks of an agent: two sessions in the
 * agent's own words. Pure.
 */
import type { HookedAgent } from "#clients";

/** A word that no memory holds by chance. */
export const chainWord = "quillfeather";
const said = `remember that the self-test of this machine is called ${chainWord}`;
const asked = "what is the self-test of this machine called?";

export interface ChainStep {
  /** The agent's event. */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Words said in one session, and the question of a later one; the answer to its last step must hold the word. */
export function chainOf(
  agent: HookedAgent,
  folder: string,
): {
  readonly first: readonly ChainStep[];
  /** A session of this id, another one each time. */
  readonly next: (id: string) => readonly ChainStep[];
} {
  const step = stepsOf[agent](folder);
  return {
    first: [step.start("doctor-a"), step.prompt("doctor-a", said), step.stop("doctor-a")],
    next: (id) => [step.start(id), step.prompt(id, asked)],
  };
}

interface Steps {
  readonly start: (id: string) => ChainStep;
  readonly prompt: (id: string, prompt: string) => ChainStep;
  readonly stop: (id: string) => ChainStep;
}

const answer = "Noted.";

const stepsOf: Readonly<Record<HookedAgent, (cwd: string) => Steps>> = {
  codex: (cwd) => {
    const of = (event: string, id: string, more: object): ChainStep => ({
      event,
      payload: { session_id: id, cwd, hook_event_name: event, model: "doctor", ...more },
    });
    return {
      start: (id) => of("SessionStart", id, { source: "startup" }),
      prompt: (id, prompt) => of("UserPromptSubmit", id, { turn_id: `${id}-1`, prompt }),
      stop: (id) => of("Stop", id, { turn_id: `${id}-1`, last_assistant_message: answer }),
    };
  },
  gemini: (cwd) => {
    const of = (event: string, id: string, more: object): ChainStep => ({
      event,
      payload: { session_id: id, cwd, hook_event_name: event, ...more },
    });
    return {
      start: (id) => of("SessionStart", id, { source: "startup" }),
      prompt: (id, prompt) => of("BeforeAgent", id, { prompt }),
      stop: (id) => of("AfterAgent", id, { prompt: said, prompt_response: answer }),
    };
  },
  copilot: (cwd) => {
    const of = (event: string, id: string, more: object): ChainStep => ({
      event,
      payload: { sessionId: id, cwd, ...more },
    });
    return {
      start: (id) => of("sessionStart", id, { source: "new" }),
      prompt: (id, prompt) => of("userPromptSubmitted", id, { prompt }),
      stop: (id) => of("agentStop", id, { stopReason: "end_turn", stop_hook_active: false }),
    };
  },
};
