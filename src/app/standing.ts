/** Version, help and completion, printed as the build wrote them out: no command is loaded for them. */
import { fstatSync, writeSync } from "node:fs";
import { folded, helpWidthDefault } from "#cli/standing-width";
import { homeRoot } from "#domain";
import { columnsAsked } from "./columns.ts";
import { answersPath } from "./standing-answers.ts";

type Env = Readonly<Record<string, string | undefined>>;

const stdout = 1;
/** A full pipe that does not block is tried again after this. */
const pipeFullMs = 2;

/**
 * Prints the answer to what was typed, if it is one of these. False = not printed: whoever runs all commands answers,
 * and says what is wrong when standard output cannot be written.
 */
export async function printStanding(
  argv: readonly string[],
  env: Env,
  version: string,
): Promise<boolean> {
  if (homeRoot(env) === null) return false;
  const asked = argv.join(" ");
  if (/^(?:version|--version|-V)$/.test(asked)) return printed(`${version}\n`);
  if (answersPath === null || !isStanding.test(asked)) return false;
  const packed = await Bun.file(answersPath).bytes();
  const answers: unknown = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(packed)));
  const text = new Map(Object.entries(answers ?? {})).get(asked);
  if (typeof text !== "string") return false;
  return printed(folded(text, (await columnsOf(env)) ?? helpWidthDefault));
}

/** What may be among the answers. */
const isStanding = /^(?:|help|-h|(?:[a-z]+ )?--help|completion [a-z]+)$/;

/** What knows of terminals takes longer to load than all of this. */
async function columnsOf(env: Env): Promise<number | null> {
  if (!fstatSync(stdout).isCharacterDevice()) return columnsAsked(env);
  const terminal = await import("./ports/terminal.ts");
  return terminal.columnsOf(env);
}

function printed(text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(stdout, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return false;
      Bun.sleepSync(pipeFullMs);
    }
  }
  return true;
}
