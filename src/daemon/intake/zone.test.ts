/** A prompt's days are those of the zone that its hook ran in, whatever zone the daemon runs in. */
import { expect, test } from "bun:test";
import { parseEnvelope } from "#hooks";
import { openTestWorker } from "../../../test/support/worker.ts";

const atMs = Date.parse("2026-09-01T20:00:00Z");

test.each([
  ["Asia/Tokyo", "2026-09-02T15:00:00.000Z"],
  [":America/Los_Angeles", "2026-09-02T07:00:00.000Z"],
  ["Asia/Kathmandu", "2026-09-02T18:15:00.000Z"],
  ["Mars/Olympus", "2026-09-02T00:00:00.000Z"],
  [undefined, "2026-09-02T00:00:00.000Z"],
  [7, "2026-09-02T00:00:00.000Z"],
])("TZ %p: today ends at %s", async (zone, end) => {
  using t = openTestWorker();
  const envelope = parseEnvelope({
    v: 1,
    hook: "submit",
    clientEvent: "UserPromptSubmit",
    key: "0123456789abcdef",
    contentHash: "h",
    anonymous: false,
    atMs,
    replayed: false,
    gated: false,
    zone,
    payload: {
      session_id: "s-1",
      cwd: "/home/dev/deskly",
      prompt_id: "p-1",
      prompt: "remember: no deploys today",
    },
  });
  if (envelope === null) throw new Error("no envelope");
  t.worker.accept([envelope], "socket");
  const node = t.store.nodes
    .list({ projects: null, statuses: ["active"] }, "recent", { limit: 9 })
    .find(({ l0 }) => /deploys/.test(l0));
  expect(new Date(node?.expiresAt ?? 0).toISOString()).toBe(end);
});
