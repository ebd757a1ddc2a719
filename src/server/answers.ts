/**
 * What the routes answer, as schemas for the API's own description. The forms themselves are the service's; the compiler holds
 * each schema against its form, and a test holds real answers against the schemas. Imported when the description is asked for.
 */
import { z } from "zod";
import type * as Service from "#service";
import { givenAnswers } from "./answers-given.ts";
import { reportAnswers } from "./answers-reports.ts";

const text = z.string();
const number = z.number();
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
const list = <Schema extends z.ZodType>(schema: Schema) => z.array(schema);

const category = z.enum([
  "profile",
  "preferences",
  "entities",
  "events",
  "patterns",
  "cases",
  "sessions",
]);
const status = z.enum(["active", "pending", "superseded", "retracted"]);
const origin = z.enum(["user", "agent", "tool", "import"]);
const maker = z.enum(["signal", "stop", "precompact", "extract", "manual", "import"]);
const relation = z.enum(["related", "supersedes", "contradicts", "elaborates", "caused_by"]);
const action = z.enum([
  "create",
  "merge",
  "supersede",
  "reinforce",
  "edit",
  "pin",
  "expire",
  "revert",
  "retract",
  "archive",
  "accept",
  "reject",
]);

const tokens = z.strictObject({ l0: number, l1: number, l2: number });
const evidence = z.strictObject({
  sessionId: text,
  turn: maybe(number),
  line: maybe(number),
  quote: text,
});
const documentKind = z.enum([
  "memory",
  "moment",
  "exchange",
  "observation",
  "prompt",
  "checkpoint",
]);
const memory = z.strictObject({
  id: number,
  uri: text,
  category: maybe(category),
  project: maybe(text),
  branch: maybe(text),
  l0: text,
  l1: maybe(text),
  importance: number,
  relevance: number,
  status,
  origin,
  maker,
  pinned: z.boolean(),
  tags: list(text),
  files: list(text),
  evidence_count: number,
  access_count: number,
  last_access: maybe(number),
  source_session: maybe(text),
  slot: maybe(text),
  expires_at: maybe(number),
  created_at: number,
  updated_at: number,
});
const node = memory.extend({
  revision: number,
  node_type: z.enum(["dir", "leaf"]),
  given_count: number,
  l2: maybe(text),
  aliases: list(text),
  evidence: list(evidence),
  valid_from: maybe(number),
  valid_to: maybe(number),
  superseded_by: maybe(text),
  links: list(z.strictObject({ relation, direction: z.enum(["to", "from"]), uri: text, l0: text })),
  tokens,
});
const revisionHead = z.strictObject({ id: number, at: number, action, by: text, reason: text });
const revision = revisionHead.extend({
  status,
  uri: text,
  category: maybe(category),
  l0: text,
  l1: maybe(text),
  l2: maybe(text),
  importance: number,
  tags: list(text),
  pinned: z.boolean(),
});
const review = memory.extend({
  id: number,
  revision: number,
  reason: text,
  evidence: list(evidence),
  similar: list(z.strictObject({ uri: text, l0: text })),
});
const found = z.strictObject({
  uri: text,
  kind: documentKind,
  category: maybe(category),
  origin: maybe(origin),
  project: maybe(text),
  l0: text,
  l1: maybe(text).optional(),
  l2: maybe(text).optional(),
  score: number,
  at: number,
  status: maybe(status),
  superseded_by: maybe(text),
  tokens,
  explanation: z.looseObject({ via: text }),
});
const timeline = z.strictObject({
  around: number,
  items: list(
    z.strictObject({
      kind: z.enum([
        "prompt",
        "answer",
        "memory",
        "moment",
        "observation",
        "checkpoint",
        "injection",
      ]),
      at: number,
      session_id: maybe(text),
      turn: maybe(number),
      project: maybe(text),
      uri: maybe(text),
      title: text,
      text: maybe(text),
    }),
  ),
  earlier: maybe(text),
  later: maybe(text),
});
const feed = z.strictObject({
  key: text,
  id: text,
  at: number,
  kind: z.enum(["memory", "prompt", "injection", "observation", "checkpoint", "call"]),
  session_id: maybe(text),
  project: maybe(text),
  uri: maybe(text),
  title: text,
  detail: maybe(text),
  tokens: maybe(number),
  action: maybe(action),
  category: maybe(category),
});
const configItem = z.strictObject({
  key: text,
  section: text,
  value: text,
  default: text,
  source: text,
  expected: text,
  choices: maybe(list(text)),
  effect: text,
  variable: maybe(text),
  editable: z.boolean(),
});
/** Every named form of an answer. */
export const answerSchemas = {
  ...givenAnswers,
  ...reportAnswers({ memory }),
  ConfigItemJson: configItem satisfies z.ZodType<Service.ConfigItemJson>,
  ConfigJson: z.strictObject({
    path: text,
    items: list(configItem),
    warnings: list(text),
  }) satisfies z.ZodType<Service.ConfigJson>,
  DiffJson: z.strictObject({
    uri: text,
    from: maybe(revisionHead),
    to: revisionHead,
    tiers: list(
      z.strictObject({
        tier: z.enum(["l0", "l1", "l2"]),
        parts: list(z.strictObject({ op: z.enum(["same", "removed", "added"]), text })),
      }),
    ),
    fields: list(z.strictObject({ name: text, before: maybe(text), after: text })),
  }) satisfies z.ZodType<Service.DiffJson>,
  EvidenceJson: z.strictObject({
    uri: text,
    items: list(
      z.strictObject({
        session_id: text,
        turn: maybe(number),
        line: maybe(number),
        quote: text,
        at: maybe(number),
        title: maybe(text),
        speaker: maybe(z.enum(["user", "assistant"])),
        excerpt: maybe(z.strictObject({ before: text, text, after: text })),
        prompt: maybe(text),
        answer: maybe(text),
        files: list(text),
      }),
    ),
  }) satisfies z.ZodType<Service.EvidenceJson>,
  FedTurnJson: z.strictObject({
    session_id: text,
    turn: maybe(number),
    fresh: z.boolean(),
  }) satisfies z.ZodType<Service.FedTurnJson>,
  FeedJson: feed satisfies z.ZodType<Service.FeedJson>,
  FeedPageJson: z.strictObject({
    items: list(feed),
    next_cursor: maybe(text),
    last_id: text,
  }) satisfies z.ZodType<Service.FeedPageJson>,
  ForgottenJson: z.strictObject({
    forgotten: list(text),
    purged: z.boolean(),
    redacted: number,
    similar: list(z.strictObject({ uri: text, kind: documentKind, l0: text })),
  }) satisfies z.ZodType<Service.ForgottenJson>,
  GraphJson: z.strictObject({
    uri: text,
    nodes: list(
      z.strictObject({
        uri: text,
        l0: text,
        category: maybe(category),
        project: maybe(text),
        status,
        importance: number,
        depth: number,
      }),
    ),
    edges: list(
      z.strictObject({ from: text, to: text, relation, weight: number, created_at: number }),
    ),
    truncated: z.boolean(),
  }) satisfies z.ZodType<Service.GraphJson>,
  UndoneJson: z.strictObject({
    at: number,
    by: text,
    reason: text,
    items: list(z.strictObject({ uri: text, l0: text, status, action })),
  }) satisfies z.ZodType<Service.UndoneJson>,
  HistoryJson: z.strictObject({
    uri: text,
    items: list(revision),
    next_cursor: maybe(text),
  }) satisfies z.ZodType<Service.HistoryJson>,
  LinkCodeJson: z.strictObject({
    code: text,
    url: text,
    expires_at: number,
  }) satisfies z.ZodType<Service.LinkCodeJson>,
  MemoryPageJson: z.strictObject({
    items: list(memory),
    total: number,
    next_cursor: maybe(text),
    project_names: z.record(z.string(), text),
  }) satisfies z.ZodType<Service.MemoryPageJson>,
  NodeJson: node satisfies z.ZodType<Service.NodeJson>,
  ProofJson: z.strictObject({ proof: text }) satisfies z.ZodType<Service.ProofJson>,
  RememberedJson: z.strictObject({
    action: z.enum(["created", "merged", "superseded", "known"]),
    memory,
    redactions: number,
    cut_characters: number,
  }) satisfies z.ZodType<Service.RememberedJson>,
  ReviewJson: review satisfies z.ZodType<Service.ReviewJson>,
  ReviewPageJson: z.strictObject({
    items: list(review),
    total: number,
    next_cursor: maybe(text),
  }) satisfies z.ZodType<Service.ReviewPageJson>,
  ReviewedJson: z.strictObject({
    action: z.enum(["accepted", "rejected"]),
    memory: node,
  }) satisfies z.ZodType<Service.ReviewedJson>,
  RotatedJson: z.strictObject({
    rotated: z.literal(true),
  }) satisfies z.ZodType<Service.RotatedJson>,
  SearchJson: z.strictObject({
    query: text,
    mode: z.enum(["find", "search"]),
    format: z.enum(["index", "overview", "full"]),
    clauses: list(text),
    intent: z.enum(["local", "model"]),
    rounds: number,
    projects: maybe(list(text)),
    results: list(found),
    tokens: number,
  }),
  TimelineJson: timeline satisfies z.ZodType<Service.TimelineJson>,
  TokenJson: z.strictObject({ token: text }) satisfies z.ZodType<Service.TokenJson>,
  TreeJson: z.strictObject({
    uri: text,
    items: list(
      z.strictObject({
        uri: text,
        node_type: z.enum(["dir", "leaf"]),
        l0: text,
        category: maybe(category),
        project: maybe(text),
        status,
        leaves: number,
        tokens,
      }),
    ),
    total: number,
    next_cursor: maybe(text),
  }) satisfies z.ZodType<Service.TreeJson>,
};
