/** Server-sent events as text comes in, piece by piece (the browser's own EventSource cannot send a token). Pure. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
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

function eventOf(block: string): ServerEvent | null {
  const found = { id: "", event: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(id|event|data):? ?(.*)$/s.exec(line) ?? [];
    if (name === "id") found.id = value;
    if (name === "event") found.event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { ...found, data: data.join("\n") };
}
