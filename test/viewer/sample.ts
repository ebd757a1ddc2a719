/**
 * A home as it looks after some weeks of work, written by the store itself before a daemon opens it: memories of every
 * category and state, with revisions, links, evidence and use; sessions with all that belongs to them; figures.
 */
import { mkdirSync } from "node:fs";
import {
  type Category,
  type HomePaths,
  type MemoryNode,
  type NodeDraft,
  type NodeStatus,
  type Relation,
  type Store,
  categoryRules,
} from "#domain";
import { msPerDay, msPerHour, msPerMinute, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { hostileMemories } from "./hostile.fixtures.ts";

interface Sample {
  readonly category: Category;
  readonly slug: string;
  readonly l0: string;
  readonly l1?: string;
  readonly l2?: string;
  readonly project?: string;
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  readonly daysAgo: number;
  readonly uses?: number;
  readonly status?: NodeStatus;
  readonly pinned?: boolean;
  readonly origin?: NodeDraft["origin"];
  readonly importance?: number;
  /** Words of the turn that it comes from; default: its own, which no turn has. */
  readonly quote?: string;
}

const shop = "github.com/acme/shop";
const ledger = "github.com/acme/ledger";
const atlas = "github.com/acme/atlas";

const samples: readonly Sample[] = [
  {
    category: "profile",
    slug: "name",
    l0: "Ada works on payments at Acme, mostly in TypeScript and Go, from Lisbon",
    daysAgo: 41,
    uses: 9,
    importance: 4,
  },
  {
    category: "profile",
    slug: "communication",
    l0: "Wants short answers first, reasons after, and no praise",
    l1: "Prefers the conclusion in the first sentence.\nAsks for numbers where there are any.\nDislikes bullet lists of more than five items.",
    daysAgo: 39,
    uses: 14,
    importance: 5,
    pinned: true,
  },
  {
    category: "preferences",
    slug: "package-manager",
    l0: "Uses pnpm in every JavaScript project; never npm or yarn",
    daysAgo: 38,
    uses: 12,
    importance: 5,
    pinned: true,
    tags: ["tooling"],
  },
  {
    category: "preferences",
    slug: "commits",
    l0: "Commit subjects are whole sentences in the imperative, without a prefix",
    daysAgo: 33,
    uses: 6,
    importance: 4,
  },
  {
    category: "preferences",
    slug: "tests",
    l0: "Tests go beside the code and use the real database, never mocks of it",
    daysAgo: 30,
    uses: 4,
    importance: 4,
  },
  {
    category: "entities",
    slug: "staging-database",
    quote: "the staging database listens on 5433 now",
    l0: "The staging database of shop listens on port 5433, behind the bastion",
    l1: "Host db.staging.acme.internal, port 5433, reached through `ssh -L 5433:db:5433 bastion`.",
    l2: "The staging database moved in August because port 5432 is taken by the analytics replica.\n\nConnect with:\n\n    ssh -N -L 5433:db.staging.acme.internal:5433 bastion.acme.dev\n    psql -h localhost -p 5433 -U shop_ro shop\n\nWrites need the role shop_rw, which the on-call engineer grants for an hour.",
    project: shop,
    daysAgo: 12,
    uses: 7,
    files: ["config/database.ts", "ops/tunnel.sh"],
    tags: ["database", "staging"],
  },
  {
    category: "entities",
    slug: "staging-database-old",
    l0: "The staging database of shop listens on port 5432",
    project: shop,
    daysAgo: 36,
    status: "superseded",
  },
  {
    category: "entities",
    slug: "payment-provider",
    l0: "Payments go through Adyen; Stripe is kept for refunds of orders before 2024",
    project: shop,
    daysAgo: 22,
    uses: 3,
    tags: ["payments"],
  },
  {
    category: "entities",
    slug: "mara",
    l0: "Mara Lind owns the ledger service and reviews every migration",
    project: ledger,
    daysAgo: 20,
    uses: 2,
  },
  {
    category: "entities",
    slug: "bucket",
    l0: "Exports land in the bucket acme-ledger-exports, region eu-west-1, kept for 400 days",
    project: ledger,
    daysAgo: 9,
  },
  {
    category: "entities",
    slug: "map-tiles",
    l0: "Atlas reads its tiles from tiles.acme.dev, which allows 50 requests a second per key",
    project: atlas,
    daysAgo: 6,
    uses: 1,
  },
  {
    category: "events",
    slug: "moved-to-postgres-17",
    l0: "Decided to move shop to PostgreSQL 17 after the load test",
    l1: "Incremental backup was the reason; the upgrade is planned for the first week of the quarter.",
    project: shop,
    daysAgo: 15,
    uses: 1,
    importance: 4,
  },
  {
    category: "events",
    slug: "ledger-rewrite-shelved",
    l0: "The rewrite of ledger in Rust is shelved: the bottleneck was the index, not the language",
    project: ledger,
    daysAgo: 11,
    importance: 4,
  },
  {
    category: "events",
    slug: "checkout-deployed",
    l0: "Deployed the new checkout behind the flag checkout_v2 to 5 % of traffic",
    project: shop,
    daysAgo: 3,
  },
  {
    category: "events",
    slug: "atlas-offline",
    l0: "Atlas works offline since version 3.2: tiles are kept for 30 days",
    project: atlas,
    daysAgo: 2,
  },
  {
    category: "patterns",
    slug: "money-as-integers",
    l0: "Amounts are integers of the smallest unit with a currency beside them, never floats",
    l1: "`Money = { minor: bigint; currency: Currency }`, parsed at the edge, formatted at the edge.",
    project: shop,
    daysAgo: 28,
    uses: 8,
    importance: 5,
    files: ["src/money.ts"],
    tags: ["money", "types"],
  },
  {
    category: "patterns",
    slug: "idempotent-webhooks",
    l0: "Webhooks are stored by their event id first and handled by a job, so that a repeat is harmless",
    project: shop,
    daysAgo: 24,
    uses: 5,
    files: ["src/webhooks/receive.ts"],
  },
  {
    category: "patterns",
    slug: "migrations-in-two-steps",
    l0: "Columns are added and filled in one release and required in the next",
    project: ledger,
    daysAgo: 18,
    uses: 2,
  },
  {
    category: "patterns",
    slug: "flags",
    l0: "New flows sit behind a flag that names its owner and the date it is removed by",
    daysAgo: 7,
  },
  {
    category: "cases",
    slug: "flaky-checkout-test",
    l0: "The checkout test was flaky because two workers shared one customer; each now makes its own",
    l1: "Symptom: 1 in 30 runs failed with a 409.\nCause: a fixture customer with an idempotency key in common.\nFix: `createCustomer()` in each test.",
    project: shop,
    daysAgo: 10,
    uses: 3,
    files: ["test/checkout.test.ts"],
    tags: ["flaky"],
  },
  {
    category: "cases",
    slug: "slow-balance-query",
    l0: "The balance query took 9 s without an index on (account_id, booked_at DESC)",
    project: ledger,
    daysAgo: 14,
    uses: 4,
  },
  {
    category: "cases",
    slug: "tile-flicker",
    l0: "Tiles flickered because the cache key left out the pixel ratio",
    project: atlas,
    daysAgo: 5,
  },
  {
    category: "entities",
    slug: "vpn-gateway",
    l0: "The VPN gateway of the office is vpn.acme.dev, port 51820",
    daysAgo: 1,
    status: "pending",
    origin: "tool",
  },
  {
    category: "preferences",
    slug: "editor-theme",
    l0: "Seems to prefer a light editor theme",
    daysAgo: 1,
    status: "pending",
    origin: "tool",
    project: atlas,
  },
  {
    category: "patterns",
    slug: "retry-with-jitter",
    l0: "Calls to the tile server are retried three times with jitter",
    l1: "Read from a README while looking for the rate limit.",
    daysAgo: 0,
    status: "pending",
    origin: "tool",
    project: atlas,
  },
];

/** Memories besides the written ones, so that lists scroll and charts have bars. */
const fillersPerProject = 22;
const things =
  "queue,scheduler,invoice export,currency table,feature flag,search index,session store,rate limiter,audit log,price rule,tax report,image cache".split(
    ",",
  );
const findings =
  "needs a lock of its own,is rebuilt every night,must stay below 200 ms,is read by three services,has no owner at present,was split in two,keeps 90 days,fails closed,is written once a minute,moved to its own schema".split(
    ",",
  );

export interface SampleHome {
  /** The sample's present time. */
  readonly nowMs: number;
  /** URI of the richest memory. */
  readonly uri: string;
  readonly sessionId: string;
}

/** Fills a new home. Times lie in the weeks before `nowMs`. */
export function fillSample(paths: HomePaths, nowMs: number, hostile = hostileMemories): SampleHome {
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  const clock = stoppedClock(nowMs);
  const opened = openStore(paths.database, { mode: "readwrite", clock, random: systemRandom });
  if (!opened.ok) throw new Error(opened.error.type);
  using store = opened.value;
  addSessions(store, nowMs);
  const nodes = new Map(
    [...samples, ...fillers()].map((one) => [one.slug, add(store, one, nowMs)]),
  );
  for (const { slug, l0, l1, l2 } of hostile)
    add(store, { category: "cases", slug, l0, l1, l2, daysAgo: 0.01, project: atlas }, nowMs);
  addLinks(store, nodes, nowMs);
  addChanges(store, nodes, nowMs);
  addFigures(store, [...nodes.values()], nowMs);
  return {
    nowMs,
    uri: nodes.get("staging-database")?.uri ?? "",
    sessionId: sessionIdOf(0),
  };
}

function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state / 4_294_967_296;
  }
}

function fillers(): readonly Sample[] {
  const random = numbers(7);
  const next = (): number => random.next().value;
  const categories = ["entities", "events", "patterns", "cases"] as const;
  return [shop, ledger, atlas].flatMap((project, at) =>
    Array.from({ length: fillersPerProject }, (_, n): Sample => {
      const thing = things[(n + at * 5) % things.length] ?? "queue";
      const finding = findings[(n + Math.floor(n / things.length) * 5) % findings.length] ?? "";
      return {
        category: categories[Math.floor(next() * categories.length)] ?? "cases",
        slug: `${thing.replaceAll(" ", "-")}-${at}-${n}`,
        l0: `The ${thing} of ${project.split("/").at(-1)} ${finding}`,
        project,
        daysAgo: 1 + next() ** 1.4 * 40,
        uses: next() < 0.25 ? Math.ceil(next() * 4) : 0,
        importance: 1 + Math.floor(next() * 4),
      };
    }),
  );
}

function add(store: Store, sample: Sample, nowMs: number): MemoryNode {
  const atMs = Math.round(nowMs - sample.daysAgo * msPerDay);
  const sourceSession = sessionIdOf(
    Math.min(sessionCount - 1, Math.floor(sample.daysAgo / daysPerSession)),
  );
  const node = store.nodes.insert(
    {
      uri: `${categoryRules[sample.category].root}/${sample.slug}`,
      category: sample.category,
      project: sample.project ?? null,
      l0: sample.l0,
      l1: sample.l1 ?? null,
      l2: sample.l2 ?? null,
      importance: sample.importance ?? 3,
      tags: sample.tags ?? [],
      files: sample.files ?? [],
      pinned: sample.pinned ?? false,
      origin: sample.origin ?? "user",
      maker: "stop",
      status: sample.status ?? "active",
      sourceSession,
      evidence: [
        {
          sessionId: sourceSession,
          turn: 2,
          line: 14,
          quote: sample.quote ?? sample.l0.slice(0, 300),
        },
      ],
    },
    {
      atMs,
      action: "create",
      by: `turn:${sourceSession}:2`,
      reason: sample.status === "pending" ? "a tool said so, you did not" : "said in a prompt",
    },
  );
  for (let n = 0; n < (sample.uses ?? 0); n += 1)
    store.nodes.use(node.id, Math.min(nowMs, atMs + n * msPerDay));
  return node;
}

const sessionIdOf = (n: number): string => `5e551000-0000-4000-8000-${`${n}`.padStart(12, "0")}`;

const talks = [
  [
    "Why does the checkout test fail once in a while?",
    "Two workers share the fixture customer. I gave each test its own and ran it 200 times: no failure.",
  ],
  [
    "Note that the staging database listens on 5433 now, 5432 is the replica.",
    "Noted: port 5433 for staging. I changed `config/database.ts` and the tunnel script to match.",
  ],
  [
    "Make the balance query faster, it takes nine seconds.",
    "An index on (account_id, booked_at DESC) brings it to 4 ms; the migration adds it concurrently.",
  ],
  ["Remember that I want commit subjects as whole sentences.", "I will write them so from now on."],
] as const;

const titles = [
  "Flaky checkout test",
  "Balance query takes nine seconds",
  "Offline tiles for Atlas",
  "Webhooks arrive twice",
  "Plan the move to PostgreSQL 17",
  "Refund path for old orders",
];
const sessionCount = 14;
const daysPerSession = 2.3;

function addSessions(store: Store, nowMs: number): void {
  for (let n = 0; n < sessionCount; n += 1) {
    const project = [shop, ledger, atlas][n % 3] ?? shop;
    const startMs = nowMs - n * daysPerSession * msPerDay - 50 * msPerMinute;
    const sessionId = sessionIdOf(n);
    store.sessions.upsert({
      sessionId,
      project,
      projectName: project.split("/").at(-1) ?? project,
      branch: n % 2 === 0 ? "main" : "checkout-v2",
      title: titles[n % titles.length] ?? null,
      firstPrompt: titles[n % titles.length] ?? null,
      status: n === 0 ? "active" : n === 5 ? "interrupted" : "completed",
      atMs: startMs,
    });
    addTurns(store, { sessionId, project, startMs, turns: n === 0 ? 4 : 1 + (n % 3) });
    const endMs = startMs + 48 * msPerMinute;
    store.sessions.upsert({ sessionId, atMs: endMs, ...(n === 0 ? {} : { endedAt: endMs }) });
  }
}

interface TurnsOf {
  readonly sessionId: string;
  readonly project: string;
  readonly startMs: number;
  readonly turns: number;
}

function addTurns(store: Store, { sessionId, project, startMs, turns }: TurnsOf): void {
  for (let n = 0; n < turns; n += 1) {
    const [prompt, answer] = talks[n % talks.length] ?? talks[0];
    const atMs = startMs + n * 11 * msPerMinute;
    const turn = store.sessions.openTurn({
      sessionId,
      promptId: `${sessionId}-${n}`,
      prompt,
      atMs,
    });
    store.sessions.updateTurn(turn.id, {
      status: "closed",
      endedAt: atMs + 4 * msPerMinute,
      answer,
      line: 12 + n * 20,
      toolCount: 3,
      filesRead: ["config/database.ts"],
      filesEdited: n % 2 === 0 ? ["test/checkout.test.ts"] : [],
    });
  }
  store.sessions.addCheckpoint({
    sessionId,
    project,
    atMs: startMs + 45 * msPerMinute,
    trigger: "end",
    l0: "Found why the checkout test is flaky and made each test independent",
    fields: {
      request: "Find out why the checkout test fails once in a while",
      investigated:
        "The order of the workers, the shared fixture, the provider's idempotency check",
      learned: "Two workers used one customer and one key",
      completed: "createCustomer() in each test; 200 runs without a failure",
      nextSteps: "Do the same for the refund tests",
      filesRead: ["test/fixtures.ts"],
      filesEdited: ["test/checkout.test.ts"],
      notes: "",
      currentTask: "",
      filesInHand: [],
      uncommitted: [],
      thrash: [],
    },
  });
  store.exposure.addInjection({
    sessionId,
    atMs: startMs,
    channel: "start",
    cause: "startup",
    text: "# Memory\n- Uses pnpm in every JavaScript project; never npm or yarn\n- Amounts are integers of the smallest unit",
    tokens: 420,
    reasons: JSON.stringify({
      taken: [{ uri: "mem://user/preferences/package-manager", why: "pinned" }],
      left: [],
    }),
  });
}

function addLinks(store: Store, nodes: ReadonlyMap<string, MemoryNode>, nowMs: number): void {
  const relate = (from: string, relation: Relation, to: string): void => {
    const [start, end] = [nodes.get(from), nodes.get(to)];
    if (start !== undefined && end !== undefined)
      store.nodes.relate(start.id, end.id, relation, nowMs - msPerDay);
  };
  relate("staging-database", "supersedes", "staging-database-old");
  relate("staging-database", "related", "moved-to-postgres-17");
  relate("staging-database", "elaborates", "payment-provider");
  relate("flaky-checkout-test", "related", "idempotent-webhooks");
  relate("payment-provider", "related", "idempotent-webhooks");
  relate("payment-provider", "related", "money-as-integers");
  relate("moved-to-postgres-17", "caused_by", "slow-balance-query");
  relate("checkout-deployed", "related", "staging-database");
  relate("flags", "related", "checkout-deployed");
  relate("ledger-rewrite-shelved", "caused_by", "slow-balance-query");
}

function addChanges(store: Store, nodes: ReadonlyMap<string, MemoryNode>, nowMs: number): void {
  const node = nodes.get("staging-database");
  if (node === undefined) return;
  const cause = (
    daysAgo: number,
    action: "edit" | "merge" | "reinforce",
    by: string,
    reason: string,
  ) => ({ atMs: nowMs - daysAgo * msPerDay, action, by, reason }) as const;
  store.nodes.update(
    node.id,
    { evidenceCount: 2 },
    cause(8, "reinforce", `turn:${node.sourceSession}:1`, "said again in another session"),
  );
  store.nodes.update(
    node.id,
    {
      l0: "The staging database of shop listens on port 5433, behind the bastion host",
      importance: 4,
    },
    cause(4, "edit", "user", "edited by hand"),
  );
}

function addFigures(store: Store, nodes: readonly MemoryNode[], nowMs: number): void {
  const random = numbers(3);
  const next = (): number => random.next().value;
  const channels = ["start", "start", "prompt", "search"] as const;
  store.exposure.add(
    Array.from({ length: 260 }, () => nodes[Math.floor(next() * nodes.length)])
      .filter((node) => node !== undefined)
      .map(({ id, uri }) => ({
        sessionId: sessionIdOf(Math.floor(next() * sessionCount)),
        nodeId: id,
        uri,
        channel: channels[Math.floor(next() * channels.length)] ?? "start",
        atMs: Math.round(nowMs - next() * 30 * msPerDay),
      })),
  );
  for (let n = 0; n < 40; n += 1)
    store.ledger.add({
      atMs: Math.round(nowMs - next() ** 1.5 * 28 * msPerDay),
      purpose: "session",
      provider: "anthropic",
      model: n % 3 === 0 ? "claude-sonnet-4-6" : "claude-haiku-4-5-20251001",
      sessionId: sessionIdOf(n % sessionCount),
      inputTokens: 2_000 + Math.round(next() * 9_000),
      outputTokens: 200 + Math.round(next() * 900),
      costUsd: 0.002 + next() * 0.01,
      latencyMs: 900,
      isEstimate: false,
      outcome: "ok",
    });
  const hooks = ["start", "submit", "tool", "stop"] as const;
  for (let n = 0; n < 160; n += 1) {
    const hook = hooks[n % hooks.length] ?? "stop";
    const atMs = nowMs - n * 2 * msPerHour;
    const key = `sample-${n}`;
    store.events.accept({
      key,
      contentHash: key,
      anonymous: false,
      hook,
      sessionId: sessionIdOf(0),
      atMs,
      receivedAtMs: atMs + 3,
      via: "socket",
    });
    store.events.noteLatencies([{ key, ms: 4 + next() ** 4 * 40 + (hook === "start" ? 8 : 0) }]);
  }
}
