/**
 * Turns of one project in order, and what is active in the end: what replaces what, and what must stay. Run without an
 * embedder; likeness is told by words alone.
 */
import { expect, test } from "bun:test";
import type { MemoryNode } from "#domain";
import { candidatesOfTurn } from "../extraction/candidates.ts";
import { turnOf } from "../extraction/candidates-fixtures.ts";
import { contentWords, jaccard } from "../language/index.ts";
import { nodeOf } from "./plan-fixtures.ts";
import { planCandidate } from "./plan.ts";

interface Sequence {
  readonly name: string;
  /** Prompt and answer of each turn. */
  readonly turns: readonly (readonly [string, string])[];
  /** Words of memories that are active in the end. */
  readonly keep: readonly (readonly string[])[];
  /** Words that no active memory has, unless it is one to keep. */
  readonly gone: readonly (readonly string[])[];
}

const thresholds = { duplicateSimilarity: 0.85, duplicateWords: 0.75 };

function activeAfter(turns: Sequence["turns"]): readonly string[] {
  let nodes: readonly MemoryNode[] = [];
  turns.forEach(([prompt, answer], n) => {
    const turn = { ...turnOf({ prompt, answer }), sessionId: `s${n}`, atMs: (n + 1) * 1_000 };
    for (const candidate of candidatesOfTurn(turn)) {
      const near = nodes.map((node) => {
        const lexical = jaccard(
          new Set(contentWords(candidate.l0)),
          new Set(contentWords(node.l0)),
        );
        return { node, lexical, similarity: null, fused: lexical };
      });
      const plan = planCandidate(candidate, near, thresholds);
      if (plan.type === "merge")
        nodes = nodes.map((node) => (node.id === plan.node.id ? { ...node, ...plan.patch } : node));
      if (plan.type === "supersede") nodes = nodes.filter(({ id }) => id !== plan.node.id);
      if (plan.type === "create" || plan.type === "supersede")
        nodes = [...nodes, nodeOf(candidate, nodes.length + n * 100)];
    }
  });
  return nodes.map(({ l0 }) => l0.toLowerCase().replace(/[-_/]/g, " "));
}

test.each<Sequence>([
  {
    name: "rate limit raised",
    turns: [
      ["rate limit is 100 rps per key", "ok"],
      ["raise the rate limit to 250 rps, partners complain", "Rate limit is 250 rps per key now."],
    ],
    keep: [["rate limit", "250"]],
    gone: [["rate limit", "100"]],
  },
  {
    name: "log retention changes with 'now'",
    turns: [
      ["we keep logs 14 days", "ok"],
      ["logs are kept 30 days now, audit wants it", "ok"],
    ],
    keep: [["logs", "30"]],
    gone: [["logs", "14"]],
  },
  {
    name: "two different retentions stay",
    turns: [
      ["audit logs are kept 13 months", "ok"],
      ["debug logs are kept 7 days", "ok"],
    ],
    keep: [
      ["audit", "13"],
      ["debug", "7"],
    ],
    gone: [],
  },
  {
    name: "two ports stay",
    turns: [
      ["staging postgres is on port 5433", "ok"],
      ["staging redis is on port 6380", "ok"],
    ],
    keep: [
      ["postgres", "5433"],
      ["redis", "6380"],
    ],
    gone: [],
  },
  {
    name: "staging and prod urls stay",
    turns: [
      ["staging is https://stage.corp.example", "ok"],
      ["prod is https://app.corp.example", "ok"],
    ],
    keep: [["stage.corp.example"], ["app.corp.example"]],
    gone: [],
  },
  {
    name: "staging url moved",
    turns: [
      ["staging is https://stage.corp.example", "ok"],
      ["staging moved to https://stage2.corp.example", "ok"],
    ],
    keep: [["stage2.corp.example"]],
    gone: [["staging is https"]],
  },
  {
    name: "owner changes",
    turns: [
      ["Marta owns the billing service", "ok"],
      ["Jonas took over billing from Marta", "ok"],
    ],
    keep: [["jonas", "billing"]],
    gone: [["marta owns"]],
  },
  {
    name: "owners of two services stay",
    turns: [
      ["Marta owns the billing service", "ok"],
      ["Jonas owns the search service", "ok"],
    ],
    keep: [
      ["marta", "billing"],
      ["jonas", "search"],
    ],
    gone: [],
  },
  {
    name: "unknown tools replaced",
    turns: [
      ["we use flarn for background jobs", "ok"],
      ["flarn is out, we move to quibble for background jobs", "ok"],
    ],
    keep: [["quibble"]],
    gone: [["we use flarn"]],
  },
  {
    name: "ci provider",
    turns: [
      ["ci runs on circleci", "ok"],
      ["we moved ci from circleci to buildkite", "ok"],
    ],
    keep: [["buildkite"]],
    gone: [["ci runs on circleci"]],
  },
  {
    name: "node version",
    turns: [
      ["we are on node 20", "ok"],
      ["bump node to 22", "Node is 22 in .nvmrc and CI."],
    ],
    keep: [["node", "22"]],
    gone: [["node 20"]],
  },
  {
    name: "standup moved",
    turns: [
      ["standup is at 9:30 every day", "ok"],
      ["standup moved to 10:00", "ok"],
    ],
    keep: [["standup", "10:00"]],
    gone: [["9:30"]],
  },
  {
    name: "two meetings stay",
    turns: [
      ["standup is at 9:30 every day", "ok"],
      ["retro is on friday at 15:00", "ok"],
    ],
    keep: [
      ["standup", "9:30"],
      ["retro", "15:00"],
    ],
    gone: [],
  },
  {
    name: "backups and deploy times stay",
    turns: [
      ["the nightly backup runs at 02:00", "ok"],
      ["move the report job to 05:00", "The report job runs at 05:00 now."],
    ],
    keep: [
      ["backup", "02:00"],
      ["report", "05:00"],
    ],
    gone: [],
  },
  {
    name: "ui library",
    turns: [
      ["let's go with mui for the components", "ok"],
      ["we switch from mui to radix, bundle got too big", "ok"],
    ],
    keep: [["radix"]],
    gone: [["go with mui"]],
  },
  {
    name: "short then detailed",
    turns: [
      ["keep your answers short please", "ok"],
      ["actually I want detailed answers from now on", "ok"],
    ],
    keep: [["detailed"]],
    gone: [["keep your answers short"]],
  },
  {
    name: "tabs flip",
    turns: [
      ["I prefer tabs over spaces", "ok"],
      ["I prefer spaces over tabs now", "ok"],
    ],
    keep: [["spaces over tabs"]],
    gone: [["tabs over spaces"]],
  },
  {
    name: "rule relaxed",
    turns: [
      ["never force push", "ok"],
      ["force push is fine on your own feature branches", "ok"],
    ],
    keep: [["never force push"]],
    gone: [],
  },
  {
    name: "threshold correction",
    turns: [
      ["alert fires at p99 > 250ms", "ok"],
      ["no, the alert is at 400ms", "Corrected: the alert fires at p99 > 400ms."],
    ],
    keep: [["400"]],
    gone: [["250"]],
  },
  {
    name: "bucket correction",
    turns: [
      ["backups go to s3://corp-backups-eu", "ok"],
      ["backups go to s3://corp-backups-us instead of s3://corp-backups-eu", "ok"],
    ],
    keep: [["corp-backups-us"]],
    gone: [["backups go to s3://corp-backups-eu."]],
  },
  {
    name: "retry counts of two clients stay",
    turns: [
      ["the mobile sdk retries 6 times", "ok"],
      ["the webhook worker retries 8 times", "ok"],
    ],
    keep: [
      ["mobile", "6"],
      ["webhook", "8"],
    ],
    gone: [],
  },
  {
    name: "timeouts of two services stay",
    turns: [
      ["set the gateway timeout to 30s", "Gateway timeout is 30s."],
      ["set the worker timeout to 5 minutes", "Worker timeout is 5 minutes."],
    ],
    keep: [
      ["gateway", "30s"],
      ["worker", "5 minutes"],
    ],
    gone: [],
  },
  {
    name: "fact then more about it",
    turns: [
      ["Lotte is our designer", "ok"],
      ["Lotte wants svg icons only, no icon fonts", "ok"],
    ],
    keep: [["lotte", "designer"], ["svg"]],
    gone: [],
  },
  {
    name: "case and decision on the same tool stay",
    turns: [
      [
        "redis failed over and we lost the queue, find out why",
        "Root cause: the replica was promoted before it had the last writes, so the queue keys were lost.",
      ],
      ["we use redis for sessions only", "ok"],
    ],
    keep: [["replica", "promoted"], ["sessions"]],
    gone: [],
  },
  {
    name: "deadline moves",
    turns: [
      ["launch is on 2 december", "ok"],
      ["launch slips to 9 december", "ok"],
    ],
    keep: [["9 december"]],
    gone: [["2 december"]],
  },
  {
    name: "same rule again",
    turns: [
      ["never commit to main directly", "ok"],
      ["again: never commit to main directly!", "ok"],
    ],
    keep: [["never commit to main"]],
    gone: [],
  },
  {
    name: "budget changed with correction",
    turns: [
      ["bundle budget is 200 kB", "ok"],
      ["bundle budget goes to 240 kB, marketing needs the video player", "ok"],
    ],
    keep: [["240"]],
    gone: [["200"]],
  },
  {
    name: "page weights differ",
    turns: [
      ["bundle budget is 200 kB", "ok"],
      ["images must be under 150 kB", "ok"],
    ],
    keep: [["200"], ["150"]],
    gone: [],
  },
  {
    name: "drop a rule's tool keeps others",
    turns: [
      ["tests use factories, never fixtures", "ok"],
      ["we drop enzyme, testing library only", "ok"],
    ],
    keep: [["factories"], ["testing library"]],
    gone: [],
  },
  {
    name: "channel changes",
    turns: [
      ["alerts go to #ops-alerts", "ok"],
      ["alerts go to #sre-alerts from now on", "ok"],
    ],
    keep: [["sre-alerts"]],
    gone: [["ops-alerts"]],
  },
  {
    name: "feature flags vs config",
    turns: [
      ["feature flags go through launchdarkly", "ok"],
      ["config goes through consul", "ok"],
    ],
    keep: [["launchdarkly"], ["consul"]],
    gone: [],
  },
  {
    name: "person leaves, unrelated stays",
    turns: [
      ["Ravi reviews the sql migrations", "ok"],
      ["Mia reviews the terraform", "ok"],
      ["Ravi left, Sven reviews sql migrations now", "ok"],
    ],
    keep: [["sven"], ["mia"]],
    gone: [["ravi reviews"]],
  },
  {
    name: "pool of another service",
    turns: [
      ["set the api pool to 25", "The api pool is 25."],
      ["set the worker pool to 5", "The worker pool is 5."],
    ],
    keep: [
      ["api", "25"],
      ["worker", "5"],
    ],
    gone: [],
  },
  {
    name: "cache ttl twice",
    turns: [
      ["cache ttl is 5 minutes", "ok"],
      ["cache ttl -> 60s", "Cache TTL is 60 seconds now."],
    ],
    keep: [["60"]],
    gone: [["5 minutes"]],
  },
  {
    name: "branching policy",
    turns: [
      ["we rebase, never merge commits", "ok"],
      ["we squash merge from now on, no more rebasing", "ok"],
    ],
    keep: [["squash"]],
    gone: [["we rebase"]],
  },
])("$name", ({ turns, keep, gone }) => {
  const active = activeAfter(turns);
  const has = (line: string, words: readonly string[]): boolean =>
    words.every((word) => line.includes(word.replace(/[-_/]/g, " ")));
  const kept = (line: string): boolean => keep.some((words) => has(line, words));
  for (const words of keep) expect(active.filter((line) => has(line, words))).not.toEqual([]);
  for (const words of gone)
    expect(active.filter((line) => has(line, words) && !kept(line))).toEqual([]);
});
