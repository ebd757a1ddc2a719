/** The typed client over a line to the daemon: what may be asked is the route table's types and nothing else. */
import { hc } from "hono/client";
import { agentHeader, nowHeader } from "#domain";
import type { Api } from "../schema.ts";
import { failureIn, type ApiFailure } from "./failure.ts";

/** `client.nodes.$get({ query: { uri } })`, and so on for every route below `/api`. */
export type Client = ReturnType<typeof hc<Api>>["api"];

/** As the platform's `fetch`, over whatever line there is to the daemon. */
export type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Builds the client over a line. `origin` is where the line leads: it matters to a browser alone. */
export const createClient = (send: Send, origin = "http://localhost"): Client =>
  // Bun's type of fetch has one more function, which is never called.
  hc<Api>(origin, { fetch: Object.assign(send, { preconnect: () => undefined }) }).api;

/** A client of which every answer is a success. */
export interface CallerDeps {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Time of the requests; null = the daemon's clock. */
  readonly nowMs: () => number | null;
  /** The agent in whose name it asks; null = a person. */
  readonly agent?: string | null;
  /** What is thrown of a refusal; `failure` is null when it is none of ours. */
  readonly thrown: (failure: ApiFailure | null, status: number) => Error;
}

/** The client of a process of ours: it says what time it is, and a refusal is thrown. */
export const createCaller = ({ fetch, nowMs, agent = null, thrown }: CallerDeps): Client =>
  createClient(async (input, init) => {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(input.toString(), init);
    request.headers.set("content-type", "application/json");
    const now = nowMs();
    if (now !== null) request.headers.set(nowHeader, `${now}`);
    if (agent !== null) request.headers.set(agentHeader, agent);
    const response = await fetch(request);
    if (response.ok) return response;
    throw thrown(failureIn(await response.text()), response.status);
  });
