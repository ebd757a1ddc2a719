/** Replies as a diligent model writes them: as long as the templates ask for, no longer. */
const memory = {
  kind: "fact",
  subject: "supplier client",
  attribute: "retry limit",
  value: "4",
  line: "depot: the retry limit of the supplier client is 4, because the gateway bans us after 5 failures in a minute.",
  aliases: ["backoff", "gateway ban", "attempts", "rate limit", "supplier client"],
  scope: "project",
  valid: "durable",
  turn: 4,
  quote: "the retry limit for the supplier client should be 4",
  replaces: 0,
};

/** Three memories of a session and its digest. */
export const session = {
  title: "depot importer: rows without weight, retry limit",
  outcome: "Rows without weight are kept and dropped rows reported; the retry limit is 4.",
  open: ["shipping/quote.ts without a weight", "pull request with three bullets"],
  memories: ["retry limit", "ban window", "back-off"].map((attribute, at) =>
    Object.assign({}, memory, {
      attribute,
      line: `${memory.line.slice(0, -1)}${" again".repeat(at)}.`,
    }),
  ),
  ended: [2],
  built: [],
};

/** Twenty neighbours, as many as are shown. */
export const known = Array.from({ length: 20 }, (_, at) => ({
  number: at + 1,
  id: at + 100,
  slot: `supplier gateway ${at + 1} · port`,
  l0: "depot: the supplier's gateway listens on port 8443 and needs a client certificate from the operations team.",
  project: "depot",
  date: "2026-02-01",
}));
