/** The typed client over a line to the daemon: it knows the server as a type only. */
import { hc } from "hono/client";
import type { Api } from "../schema.ts";

/** `client.nodes.$get({ query: { uri } })`, and so on for every route below `/api`. */
export type Client = ReturnType<typeof hc<Api>>["api"];

/** As the platform's `fetch`, over whatever line there is to the daemon. */
export type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Builds the client over a line. `origin` is where the line leads: it matters to a browser alone. */
export const createClient = (send: Send, origin = "http://localhost"): Client =>
  // Bun's type of fetch has one more function, which nobody here calls.
  hc<Api>(origin, { fetch: Object.assign(send, { preconnect: () => undefined }) }).api;
