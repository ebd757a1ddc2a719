/** Server-sent events, as the streams of model APIs use them: the data of each event, in order. */
import { piecesOf } from "./http.ts";
import { llmLimits } from "./limits.ts";

/**
 * Data of each complete event. Comments (keep-alives), names and ids are left out; an event that was cut off by the
 * end of the stream is not given, as the standard wants it.
 */
export async function* eventsOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of piecesOf(response, llmLimits.replyBytesMax)) {
    rest += piece;
    // A carriage return at the end may be half of a line end; it waits for the next piece.
    const whole = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const blocks = withNewlines(rest.slice(0, whole)).split("\n\n");
    rest = (blocks.pop() ?? "") + rest.slice(whole);
    for (const block of blocks) yield* dataOf(block);
  }
  for (const block of withNewlines(rest).split("\n\n").slice(0, -1)) yield* dataOf(block);
}

const withNewlines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

function* dataOf(block: string): Generator<string> {
  const lines = block.split("\n").filter((line) => line.startsWith("data:"));
  if (lines.length > 0) yield lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}

/** Whether an answer is a stream of events at all; a login page of a hotel's network is not. */
export const isEventStream = (response: Response): boolean =>
  response.headers.get("content-type")?.includes("text/event-stream") ?? false;

/** Whether an answer is one JSON document. */
export const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
