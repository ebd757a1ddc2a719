/** The exchanges of a voice, made as the product makes them, with what the voice says of their facts. */
import { exchangeOf, type Exchange, type Spoken } from "../src/memory/exchange/exchange.ts";
import { says, type Voice, type VoiceFact, type VoiceTurn } from "./voice.ts";

export interface VoiceExchange extends Exchange {
  readonly project: string;
  readonly atMs: number;
  /** Position in the voice, from 0. */
  readonly at: number;
  readonly turn: VoiceTurn;
}

const turnMs = 90_000;

/** In the order of time; turns of which nothing is kept are left out. */
export function exchangesOf(voice: Voice): readonly VoiceExchange[] {
  let at = 0;
  return voice.sessions.flatMap((session) =>
    session.turns.flatMap((turn, i) => {
      at += 1;
      const before = session.turns[i - 1];
      const exchange = exchangeOf({
        sessionId: session.id,
        turn: i + 1,
        project: session.project,
        projectName: session.project,
        branch: "main",
        atMs: session.startMs + i * turnMs,
        prompt: turn.prompt,
        answer: turn.answer,
        interrupted: false,
        previousPrompt: before?.prompt ?? null,
        previousAnswer: before?.answer ?? null,
        tools: [],
      });
      if (exchange === null) return [];
      return [
        { ...exchange, project: session.project, atMs: session.startMs + i * turnMs, at, turn },
      ];
    }),
  );
}

/** All facts that replaced one, also by way of others. */
export function successorsOf(voice: Voice, id: string): readonly VoiceFact[] {
  const next = [...voice.facts.values()].filter(({ replaces }) => replaces === id);
  return [...next, ...next.flatMap((fact) => successorsOf(voice, fact.id))];
}

export const factsSaid = (
  voice: Voice,
  { text }: Pick<Spoken, "text">,
  turn: VoiceTurn,
): readonly VoiceFact[] =>
  turn.facts.filter((fact) => voice.facts.has(fact.id) && says(text, fact));
