/** The documented fields of `--json`, where several commands share them. */
import type { FieldSpec } from "../spec.ts";

export const fields = (table: Readonly<Record<string, string>>): readonly FieldSpec[] =>
  Object.entries(table).map(([name, meaning]) => ({ name, meaning }));

export const memoryFields = fields({
  id: "number of the memory; tables show it as a short id such as #4k",
  uri: "place in the memory tree",
  category: "profile, preferences, entities, events, patterns, cases or sessions",
  project: "project key; null = everywhere",
  branch: "branch it was learnt on, or null",
  l0: "the memory in one line",
  l1: "overview, or null",
  importance: "1 to 5",
  relevance: "0.1 to 1: weight in the ranking",
  status: "active, pending, superseded or retracted",
  origin: "who said it: user, agent, tool or import",
  maker: "what made it: signal, stop, precompact, extract, manual or import",
  pinned: "true = never decays",
  tags: "labels",
  files: "files it is about",
  evidence_count: "how often it was learnt",
  access_count: "how often it was used",
  last_access: "time of the last use, or null",
  source_session: "session it came from, or null",
  slot: "what it is about, as `subject · attribute`, or null",
  expires_at: "time it expires, or null",
  created_at: "time it was learnt",
  updated_at: "time of the last change",
});

export const searchFields = fields({
  query: "what was asked",
  mode: "find or search",
  format: "index, overview or full",
  clauses: "the parts the question was split into",
  intent: "who split it: model or local",
  rounds: "extra rounds of search with words from the first results",
  projects: "project keys that were searched besides global memories; null = all",
  "results[].uri": "place in the memory tree",
  "results[].kind": "memory, moment, exchange, observation, prompt or checkpoint",
  "results[].category": "category, or null",
  "results[].origin": "user, agent, tool or import; null for what is no memory",
  "results[].project": "project key, or null",
  "results[].l0": "the result in one line",
  "results[].l1": "overview (formats overview and full)",
  "results[].l2": "full text (format full)",
  "results[].score": "higher is better",
  "results[].at": "time it is about",
  "results[].status": "active, pending, superseded or retracted; null for records",
  "results[].superseded_by": "what replaced it, or null",
  "results[].tokens": "cost of each tier: l0, l1, l2",
  "results[].explanation": "lexicalRank, lexical, similarity, fused, nudges, via",
  tokens: "tokens of the text in this answer",
});

export const sessionFields = fields({
  session_id: "the client's session id",
  agent: "claude, codex, gemini, copilot or opencode",
  project: "project key, or null",
  project_name: "name for people, or null",
  branch: "branch, or null",
  title: "first prompt in one line, or null",
  status: "active, completed, interrupted or failed",
  started_at: "time of the first event",
  ended_at: "time of the end, or null",
  last_event_at: "time of the last event",
  parent_session: "the session it was forked from, or null",
  turns: "how many prompts it had",
});
