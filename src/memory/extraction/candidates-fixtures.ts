/** For tests: a turn as somebody typed it, what must be remembered of it, and nothing else. */
import { expect } from "bun:test";
import { wordsOf } from "../language/index.ts";
import { candidatesOfTurn } from "./candidates.ts";
import type { TurnContext } from "./turn-context.ts";

export interface SaidTurn {
  readonly prompt: string;
  readonly answer?: string;
  /** Prompt and answer of the turn before. */
  readonly before?: readonly [string, string];
  /** What a tool printed during the turn. */
  readonly tools?: string;
  /** One list per memory: words its line must have. Empty = the turn leaves nothing. */
  readonly want: readonly (readonly string[])[];
  /** Text that no memory may hold. */
  readonly never?: readonly string[];
}

const atMs = 1_762_423_200_000; // 2025-11-06 10:00 UTC

/** A closed turn of project `corp/web`. */
export const turnOf = (said: Omit<SaidTurn, "want">): TurnContext => ({
  sessionId: "s1",
  turn: 1,
  project: "github.com/corp/web",
  projectName: "web",
  branch: null,
  atMs,
  prompt: said.prompt,
  answer: said.answer ?? null,
  interrupted: said.answer === undefined,
  previousPrompt: said.before?.[0] ?? null,
  previousAnswer: said.before?.[1] ?? null,
  tools:
    said.tools === undefined
      ? []
      : [
          {
            id: 1,
            sessionId: "s1",
            turn: 1,
            toolUseId: null,
            tool: "Read",
            target: null,
            files: [],
            outcome: "ok",
            text: said.tools,
            atMs,
            agentId: null,
          },
        ],
});

/** Memories beyond the wanted ones that one turn may leave. */
const surplusMax = 1;

export function expectRemembered(said: SaidTurn): void {
  const lines = candidatesOfTurn(turnOf(said)).map(({ l0 }) => l0);
  for (const wanted of said.want)
    expect(lines.filter((line) => wanted.every((text) => hasWords(line, text)))).not.toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(
    said.want.length === 0 ? 0 : said.want.length + surplusMax,
  );
  for (const text of said.never ?? []) expect(lines.join("\n")).not.toContain(text);
}

const plain = (text: string): string => ` ${wordsOf(text.replace(/[-_/]/g, " ")).join(" ")}`;

const hasWords = (line: string, text: string): boolean => plain(line).includes(plain(text));
