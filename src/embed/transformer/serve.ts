/**
 * The process that embeds for the daemon: one JSON line for each request, one for each answer. Questions go before
 * documents, also between the texts of a batch, because somebody waits for them.
 */
import { type Result } from "#kit";
import type { TextKind, Transformer } from "./open.ts";

interface Request {
  readonly id: number;
  readonly kind: TextKind;
  readonly input: readonly string[];
}

interface Work extends Request {
  readonly embeddings: (readonly number[])[];
}

/** Answers until the input ends. `open` is called with the first request. */
export async function serveTransformer(
  lines: AsyncIterable<string>,
  write: (line: string) => void,
  open: () => Result<Transformer, string>,
): Promise<void> {
  const waiting: Work[] = [];
  let opened: Result<Transformer, string> | null = null;
  const ended = new AbortController();
  let wake: () => void = () => undefined;
  const work = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const next = waiting.find(({ kind }) => kind === "query") ?? waiting[0];
      if (next === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      opened ??= open();
      const answer = opened.ok ? step(next, opened.value) : { id: next.id, error: opened.error };
      if (answer !== null) {
        waiting.splice(waiting.indexOf(next), 1);
        write(`${JSON.stringify(answer)}\n`);
      }
      await Bun.sleep(0);
    }
  };
  const working = work();
  for await (const line of lines) {
    waiting.push({ ...(JSON.parse(line) as Request), embeddings: [] });
    wake();
  }
  ended.abort();
  wake();
  await working;
}

/** Embeds one more text; the answer when it was the last one. */
function step({ id, kind, input, embeddings }: Work, transformer: Transformer): object | null {
  const text = input[embeddings.length];
  if (text !== undefined) embeddings.push([...transformer.embed(text, kind)]);
  return embeddings.length < input.length ? null : { id, embeddings };
}
