/**
 * The live feed as server-sent events. A client is a place in the feed and nothing more: what it gets next is read
 * from the records when its last piece has gone out, so that nothing piles up for one that reads slowly, and nothing
 * that was forgotten waits in a buffer. Must not know what the entries mean.
 */
import type { Service } from "../service/service.ts";

/** The interval at which the feed is polled while anybody listens. */
const tickMs = 250;
/** A sign of life: Bun and proxies cut streams that are silent for ten seconds or more. */
const heartbeatTicks = 20;
/** Whoever has not taken its last piece for 30 s is gone or stuck. */
const stuckTicks = 120;
/** A person has a few windows open; a program that opens more has lost count. */
const clientsMax = 32;
/** The client's pause before it connects again, ms. */
const retryMs = 2_000;

/** Calls `work` every `ms` until the returned function is called. */
export type Every = (ms: number, work: () => void) => () => void;

const everyInterval: Every = (ms, work) => {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
};

export interface Live {
  /** A stream behind `lastId` (null = from now on); null when too many listen. */
  readonly open: (lastId: string | null) => ReadableStream<Uint8Array> | null;
  /** The number of listeners: the daemon does not leave while somebody does. */
  readonly clients: () => number;
  /** Ends every stream. */
  readonly close: () => void;
}

interface Client {
  lastId: string;
  /** Goes out first. */
  greeting: string | null;
  /** Set while it waits for something to send. */
  wake: (() => void) | null;
  /** Ticks since the last piece. */
  silentTicks: number;
  isGone: boolean;
  end: () => void;
}

const encoder = new TextEncoder();

/** Builds the feed over the service. Nothing runs while nobody listens. */
export function createLive(feed: Service, every: Every = everyInterval): Live {
  const clients = new Set<Client>();
  let stopTicking: (() => void) | null = null;
  const drop = (client: Client): void => {
    if (client.isGone) return;
    client.isGone = true;
    clients.delete(client);
    client.wake?.();
    client.end();
    if (clients.size > 0) return;
    stopTicking?.();
    stopTicking = null;
  };
  const tick = (): void => {
    const now = feed.feedNow();
    for (const client of clients) {
      client.silentTicks += 1;
      const isDue = client.lastId !== now || client.silentTicks >= heartbeatTicks;
      if (client.wake !== null && isDue) client.wake();
      else if (client.wake === null && client.silentTicks >= stuckTicks) drop(client);
    }
  };
  return {
    open: (lastId) => {
      if (clients.size >= clientsMax) return null;
      const client = newcomer(lastId ?? feed.feedNow());
      clients.add(client);
      stopTicking ??= every(tickMs, tick);
      return streamTo(client, { feed, drop });
    },
    clients: () => clients.size,
    close: () => {
      for (const client of clients) drop(client);
    },
  };
}

function newcomer(lastId: string): Client {
  const hello = eventText("hello", lastId, {});
  return {
    lastId,
    greeting: `retry: ${retryMs}\n${hello}`,
    wake: null,
    silentTicks: 0,
    isGone: false,
    end: () => undefined,
  };
}

function streamTo(
  client: Client,
  { feed, drop }: { readonly feed: Service; readonly drop: (client: Client) => void },
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        client.end = () => {
          try {
            controller.close();
          } catch {
            // Closed already: the other side went first.
          }
        };
      },
      pull: async (controller) => {
        const text = await nextPiece(client, feed);
        if (client.isGone) return;
        client.silentTicks = 0;
        controller.enqueue(encoder.encode(text));
      },
      cancel: () => drop(client),
    },
    // Nothing is asked for before it can be sent.
    { highWaterMark: 0 },
  );
}

/** `nextPiece` gives what to send next, when there is something; a comment when there was nothing for too long. */
async function nextPiece(client: Client, feed: Service): Promise<string> {
  if (client.greeting !== null) {
    const { greeting } = client;
    client.greeting = null;
    return greeting;
  }
  while (!client.isGone) {
    const since = feed.feedSince(client.lastId);
    client.lastId = since.lastId;
    if (since.type === "reset") return eventText("reset", since.lastId, {});
    if (since.kinds.length > 0)
      return since.kinds.map((kind) => eventText(kind, since.lastId, { kind })).join("");
    if (client.silentTicks >= heartbeatTicks) return ": still here\n\n";
    await new Promise<void>((wake) => (client.wake = wake));
    client.wake = null;
  }
  return "";
}

/** JSON has no line ends of its own, so that one line of data is enough. */
const eventText = (event: string, id: string, data: unknown): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
