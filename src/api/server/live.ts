/**
 * The live feed as server-sent events. A client is a place in the feed and nothing more: what it gets next is read
 * from the records when its last piece has gone out, so that nothing piles up for one that reads slowly. Must not know
 * what the entries mean.
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

interface Client {
  lastId: string;
  /** Ticks since the last piece. */
  silentTicks: number;
  readonly out: ReadableStreamDefaultController<Uint8Array>;
}

const encoder = new TextEncoder();

/** Builds the feed over the service. Nothing runs while nobody listens. */
export function createLive(feed: Service, every: Every = everyInterval) {
  const clients = new Set<Client>();
  let stopTicking: (() => void) | null = null;
  const remove = (client: Client): void => {
    clients.delete(client);
    if (clients.size > 0) return;
    stopTicking?.();
    stopTicking = null;
  };
  const drop = (client: Client): void => {
    remove(client);
    client.out.close();
  };
  const send = (client: Client, text: string): void => {
    client.silentTicks = 0;
    client.out.enqueue(encoder.encode(text));
  };
  const sendNews = (client: Client): void => {
    const since = feed.feedSince(client.lastId);
    client.lastId = since.lastId;
    if (since.type === "reset") send(client, eventText("reset", since.lastId, {}));
    else if (since.kinds.length > 0)
      send(client, since.kinds.map((kind) => eventText(kind, since.lastId, { kind })).join(""));
  };
  const tick = (): void => {
    const now = feed.feedNow();
    for (const client of clients) {
      client.silentTicks += 1;
      const hasTaken = (client.out.desiredSize ?? 0) > 0;
      if (!hasTaken && client.silentTicks >= stuckTicks) drop(client);
      if (!hasTaken) continue;
      if (client.lastId !== now) sendNews(client);
      else if (client.silentTicks >= heartbeatTicks) send(client, ": still here\n\n");
    }
  };
  const add = (out: Client["out"], lastId: string | null): Client => {
    const client = { lastId: lastId ?? feed.feedNow(), silentTicks: 0, out };
    clients.add(client);
    stopTicking ??= every(tickMs, tick);
    send(client, `retry: ${retryMs}\n${eventText("hello", client.lastId, {})}`);
    sendNews(client);
    return client;
  };
  return {
    /** A stream behind `lastId` (null = from now on); null when too many listen. */
    open: (lastId: string | null): ReadableStream<Uint8Array> | null => {
      if (clients.size >= clientsMax) return null;
      let client: Client | null = null;
      return new ReadableStream<Uint8Array>({
        start: (out) => void (client = add(out, lastId)),
        cancel: () => (client === null ? undefined : remove(client)),
      });
    },
    /** The number of listeners: the daemon does not leave while somebody does. */
    clients: (): number => clients.size,
    /** Ends every stream. */
    close: (): void => clients.forEach(drop),
  };
}

export type Live = ReturnType<typeof createLive>;

/** JSON has no line ends of its own, so that one line of data is enough. */
const eventText = (event: string, id: string, data: unknown): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
