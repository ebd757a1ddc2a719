/** One reader of hook bodies: port and socket take the same envelopes, and the API's description says which. */
import { expect, test } from "bun:test";
import { hookEnvelope } from "../src/api/requests.ts";
import { envelopesOfRequest } from "#hooks";
import { testEnvelope } from "./support/hooks.ts";
import { openTestServer, testPort, token } from "./support/server.ts";

const whole = testEnvelope();
const project = { key: "acme/shop", name: "shop", root: "/srv/shop", branch: null };

const bodies: readonly (readonly [string, unknown])[] = [
  ["an envelope", whole],
  ["one that was measured", testEnvelope({ startedAtMs: 5, tookMs: 3 })],
  ["one with a project", testEnvelope({ project })],
  ["one outside any project", testEnvelope({ project: null })],
  ["one of a field that is not known", { ...whole, later: true }],
  ["no key", { ...whole, key: undefined }],
  ["an empty key", { ...whole, key: "" }],
  ["a key that is a number", { ...whole, key: 7 }],
  ["no hash", { ...whole, contentHash: undefined }],
  ["no client event", { ...whole, clientEvent: null }],
  ["a hook that is none", { ...whole, hook: "lunch" }],
  ["a time that is a text", { ...whole, atMs: "now" }],
  ["a payload that is a list", { ...whole, payload: [] }],
  ["no payload", { ...whole, payload: undefined }],
];

test.each(bodies)(
  "%s: the same verdict by port, by socket and in the description",
  async (_, body) => {
    const text = JSON.stringify(body);
    const given: unknown = JSON.parse(text);
    const request = { body: given, event: "submit", nowMs: 1, invocation: "0" };
    const isTaken = envelopesOfRequest(request) !== null;
    expect(hookEnvelope.safeParse(given).success).toBe(isTaken);
    using server = openTestServer();
    const response = await server.tcp("/api/hooks/submit", {
      method: "POST",
      body: text,
      headers: {
        host: `127.0.0.1:${testPort}`,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
    });
    expect(response.status).toBe(isTaken ? 200 : 400);
    expect(server.accepted).toHaveLength(isTaken ? 1 : 0);
  },
);
