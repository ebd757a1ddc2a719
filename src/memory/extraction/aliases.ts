/**
 * Other words for what a memory says: a small thesaurus of general developer vocabulary, so that a question in other
 * words still meets the memory lexically. Not fitted to any project. Pure.
 */
import { canonicalWord, wordsOf } from "#language";
import { limits } from "../limits.ts";

/** One line per idea; phrases use spaces. A text that has one gets the others. */
const groups: readonly string[] = [
  "db|database|sql|data store",
  "postgres|postgresql|pg|database",
  "staging|pre-production|preprod|test environment",
  "production|prod|live",
  "k8s|kubernetes|cluster",
  "repo|repository|codebase",
  "deploy|release|ship|roll out|rollout|go live",
  "canary|gradual rollout|progressive delivery|staged",
  "rollback|revert|undo",
  "test|spec|suite|unit test",
  "testcontainers|integration test|real database",
  "mock|stub|fake|test double",
  "snapshot|golden file|recorded output",
  "flag|toggle|feature switch|gate",
  "chart|graph|plot|visualisation",
  "dashboard|board|graphs|panel",
  "pnpm|npm|yarn|package manager|install|dependencies",
  "uv|pip|poetry|package manager|install|dependencies",
  "on-call|pager|oncall|alert|wake up",
  "sre|reliability|operations|on-call",
  "lock|mutex|mutual exclusion|concurrency",
  "retry|attempt|redeliver|try again",
  "backoff|delay|wait between attempts",
  "webhook|callback|notification",
  "ttl|expiry|expire|retention|lifetime",
  "cache|redis|memo",
  "bucket|s3|object storage|blob",
  "region|location|availability zone",
  "schedule|cron|job time|timer",
  "orchestrator|workflow engine|scheduler",
  "pool|connection pool|connections",
  "column|field|attribute",
  "migration|schema change|alter table",
  "nullable|optional|not null|mandatory",
  "timezone|time zone|utc|offset",
  "date|calendar|day",
  "csv|file format|delimiter|separator",
  "xlsx|excel|spreadsheet",
  "report|export|output",
  "bundle|build size|payload|javascript size",
  "budget|limit|cap|maximum",
  "frontend|ui|client|web",
  "backend|server|api",
  "component|widget|control|element",
  "design system|component library|ui kit",
  "state|store|status",
  "copy|wording|text|strings",
  "sign off|approve|review|approval",
  "owner|owns|responsible|maintainer|in charge",
  "lead|head|boss|manager",
  "money|amount|currency|price|fee",
  "float|decimal|double|floating point",
  "bigint|integer|data type",
  "memory|ram|out of memory|oom",
  "runner|ci machine|agent",
  "ci|pipeline|continuous integration|build server",
  "metric|measurement|histogram|counter",
  "log|logging|trace",
  "latency|slow|response time|p99",
  "error|failure|exception|crash",
  "incident|outage|downtime|on fire",
  "failover|switch over|new primary|promoted replica",
  "duplicate|twice|double|two times",
  "secret|credential|token|key|password",
  "auth|login|sign in|authentication",
  "permission|access|authorization|role",
  "env|environment variable|configuration|setting",
  "url|address|endpoint|host",
  "port|listen|connect",
  "queue|broker|messages",
  "commit|git history|commit message",
  "branch|merge|pull request|pr",
  "lint|style check|static analysis",
  "format|formatter|code style",
  "indent|tabs|spaces|whitespace",
  "short|brief|concise|terse",
  "detail|detailed|thorough|verbose|why",
  "answer|reply|response",
  "meeting|call|standup|sync",
  "backup|snapshot|restore",
  "monitoring|alerting|observability",
  "timeout|deadline|time limit",
  "rate limit|throttle|quota",
  "join|merge|combine",
  "model|network|weights",
  "training|train|fit",
  "dataset|data|samples",
  "gpu|accelerator|cuda",
  "batch|batch size|chunk",
  "firmware|embedded|device",
  "board|hardware|mcu|chip",
  "phone|mobile|app",
  "ios|iphone|apple",
  "android|google play|apk",
  "game|engine|level",
  "netcode|multiplayer|networking",
  "shader|rendering|graphics",
  "doc|documentation|readme|wiki",
  "bio|introduction|about me|who am i",
  "name|call|title",
  "delete|remove|drop",
  "security|vulnerability|compliance",
  "finance|accounting|billing",
  "customer|client|user|merchant",
  "invoice|bill|payment",
  "payout|payment|transfer",
];

interface Group {
  readonly members: readonly string[];
  readonly keys: readonly (readonly string[])[];
}

/** Groups by the first word of each of their members, so that a text asks only for what it may have. */
function readGroups(): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const line of groups) {
    const members = line.split("|");
    const keys = members.map((member) => wordsOf(member).map(canonicalWord));
    const group = { members, keys };
    for (const [first] of keys)
      if (first !== undefined) found.set(first, [...(found.get(first) ?? []), group]);
  }
  return found;
}

/** Read with the first text: reading memories need not wait for it. */
let groupsByWord: ReadonlyMap<string, readonly Group[]> | null = null;

/** Up to eight other words for what the text says; none that it has already. */
export function aliasesOf(text: string): readonly string[] {
  const byWord = (groupsByWord ??= readGroups());
  const whole = wordsOf(text);
  const words = [...whole, ...whole.flatMap((word) => word.split(/[-_/.]/))].map(canonicalWord);
  const line = ` ${words.join(" ")} `;
  const lists: (readonly string[])[] = [];
  for (const group of new Set(words.flatMap((word) => byWord.get(word) ?? []))) {
    const has = group.keys.map((key) => line.includes(` ${key.join(" ")} `));
    if (has.some(Boolean)) lists.push(group.members.filter((_, n) => has[n] !== true));
  }
  return interleaved(lists).slice(0, limits.aliasesMax);
}

/** One of each group in turn, so that no group takes all the room. */
function interleaved(lists: readonly (readonly string[])[]): readonly string[] {
  const taken = new Set<string>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let n = 0; n < longest; n += 1)
    for (const list of lists) {
      const alias = list[n];
      if (alias !== undefined) taken.add(alias);
    }
  return [...taken];
}
