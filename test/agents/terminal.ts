/**
 * A real agent in a real terminal: a tmux server of its own, keys in, screen out. Waits for conditions, never for a
 * time. Tests only.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { OtherAgent } from "#domain";
import { eventually } from "../support/program.ts";
import { clientsFolder, environmentOf, type Place } from "./clients.ts";

export interface Terminal extends AsyncDisposable {
  readonly screen: () => string;
  readonly shows: (what: RegExp) => Promise<void>;
  /** Types a line and sends it once it stands on the screen. */
  readonly say: (line: string) => Promise<void>;
  readonly press: (...keys: readonly string[]) => void;
}

/**
 * The screens of each agent: when it takes a prompt, and the questions that it asks before, each
 * with the keys that agree to it.
 */
const agents: Readonly<
  Record<
    OtherAgent,
    {
      readonly args: readonly string[];
      readonly ready: RegExp;
      readonly asks: readonly (readonly [RegExp, readonly string[]])[];
      /** The mark before a line that was not sent yet. */
      readonly cursor?: string;
    }
  >
> = {
  codex: {
    args: ["--dangerously-bypass-approvals-and-sandbox"],
    ready: /Ask Codex to do anything/,
    asks: [
      [/Trust this folder\?/, ["Enter"]],
      [/› 1\. Review hooks/, ["Down"]],
      [/› 2\. Trust all and continue/, ["Enter"]],
    ],
  },
  gemini: { args: ["--yolo", "--skip-trust"], ready: /Type your message/, asks: [], cursor: " * " },
  copilot: {
    args: ["--allow-all-tools"],
    ready: /commands · \? help/,
    asks: [[/Do you trust the files in this folder\?/, ["Enter"]]],
  },
  opencode: { args: [], ready: /Ask anything/, asks: [] },
};

/** Codex CLI asks its questions of trust with long pauses between them. */
const waitMs = 150_000;
const againMs = 4_000;
let terminals = 0;

/** Starts an agent and waits until it takes a prompt. */
export async function openTerminal(agent: OtherAgent, place: Place): Promise<Terminal> {
  const { args, ready, asks, cursor } = agents[agent];
  const socket = join(place.home, `tmux-${(terminals += 1)}`);
  const tmux = (...words: readonly string[]): string =>
    spawnSync("tmux", ["-S", socket, ...words], { encoding: "utf8" }).stdout ?? "";
  const env = { ...environmentOf(place), TERM: "xterm-256color" };
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = ["env", "-i", ...assigned, join(clientsFolder, agent), ...args];
  const shell = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", place.project, shell);
  const screen = (): string => tmux("capture-pane", "-p", "-t", "0");
  const press = (...keys: readonly string[]): void => void tmux("send-keys", "-t", "0", ...keys);
  const pressedAtMs = new Map<RegExp, number>();
  /** True while a question stands there. Codex CLI has some only after the first prompt was sent. */
  const isAsked = (): boolean => {
    const shown = screen();
    const asked = asks.find(([question]) => question.test(shown));
    if (asked === undefined) return false;
    // A question that still stands there after a while has not taken the key.
    const isDue = performance.now() - (pressedAtMs.get(asked[0]) ?? -Infinity) > againMs;
    if (isDue) press(...asked[1]);
    if (isDue) pressedAtMs.set(asked[0], performance.now());
    return true;
  };
  const shows = async (what: RegExp): Promise<void> =>
    eventually(`${what} on the screen`, () => !isAsked() && what.test(screen()), waitMs).catch(
      (error) => {
        throw new Error(`${String(error)}\n${screen().replaceAll(/\n{2,}/g, "\n")}`);
      },
    );
  await shows(ready);
  return {
    screen,
    shows,
    press,
    say: async (line) => {
      tmux("send-keys", "-t", "0", "-l", line);
      await shows(new RegExp(line.slice(0, 30)));
      press("Enter");
      if (cursor === undefined) return;
      // Gemini CLI takes an Enter right behind a text for a part of what was pasted.
      let pressedMs = performance.now();
      await eventually("the line is sent", () => {
        const stands = screen().includes(`${cursor}${line}`);
        if (stands && performance.now() - pressedMs > againMs) {
          press("Enter");
          pressedMs = performance.now();
        }
        return !stands;
      });
    },
    [Symbol.asyncDispose]: async () => {
      tmux("kill-server");
    },
  };
}
