/** Server-sent events as text comes in, piece by piece (the browser's own EventSource cannot send a token). Pure. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
}

/** Longest event that is kept; a stream that never ends a line must not fill the page's memory. */
const pendingCharsMax = 1_000_000;

/** Takes pieces in any cut and calls back once for each complete event; comments (heartbeats) are swallowed. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let pending = "";
  return (piece) => {
    const blocks = `${pending}${piece}`.replaceAll("\r\n", "\n").split("\n\n");
    pending = (blocks.pop() ?? "").slice(-pendingCharsMax);
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) onEvent(event);
    }
  };
}

/** Null for a block without data: a comment, or the time to wait before the next try. */
function eventOf(block: string): ServerEvent | null {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:? ?(.*)$`, "m").exec(block)?.[1];
  if (field("data") === undefined) return null;
  return { id: field("id") ?? "", event: field("event") ?? "message" };
}
