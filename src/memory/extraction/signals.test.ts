import { expect, test } from "bun:test";
import { scanSignals } from "./candidates.ts";
import type { TurnContext } from "./turn-context.ts";

const said = (prompt: string): TurnContext => ({
  sessionId: "s-1",
  turn: 1,
  project: "github.com/deskly/deskly",
  projectName: "deskly",
  branch: null,
  atMs: Date.parse("2026-03-02T09:00:00Z"),
  prompt,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
});

/** The table of phrases that ask for memory at once, each in several manners. */
test.each([
  ["remember this: the API key rotates monthly", "entities"],
  ["Remember that our CI runs on Buildkite", "entities"],
  ["REMEMBER THAT PORT 9000 IS FOR METRICS", "entities"],
  ["remember to run migrations before deploy", "preferences"],
  ["pls remember the vpn is called tunnelblick", "entities"],
  ["don't forget the release branch is called stable", "entities"],
  ["Don't forget that Tom owns billing", "entities"],
  ["keep in mind that the legacy API has no pagination", "entities"],
  ["from now on answer in German", "preferences"],
  ["always use tabs", "preferences"],
  ["never commit to main", "preferences"],
  ["I prefer functional components", "preferences"],
  ["architecture decision: use event sourcing for orders", "events"],
  ["we decided to use Postgres", "events"],
  ["we decided to keep bookings in UTC and convert only in the browser", "events"],
  ["let's go with vitest", "events"],
  ["ok lets go with drizzle for the ORM", "events"],
  ["this pattern is useful: wrap every handler in withTx", "patterns"],
  ["the trick is to clear the cache before the build", "patterns"],
  ["the bug was a missing await in the queue worker", "cases"],
  ["bug was an off-by-one in pagination", "cases"],
  ["root cause: the cache key lacked the tenant id", "cases"],
  ["turns out the proxy strips the header", "cases"],
  ["it turns out that Safari caches redirects", "cases"],
])("%s → %s, at once and in the user's name", (prompt, category) => {
  const found = scanSignals(said(prompt)).filter((candidate) => candidate.category === category);
  expect(found).toMatchObject([{ maker: "signal", origin: "user" }]);
});

test("what was asked for in so many words is most important", () => {
  expect(scanSignals(said("remember that our CI runs on Buildkite"))[0]?.importance).toBe(5);
});

test.each([
  "do you remember what we decided?",
  "did we decide to use Postgres?",
  "should we always use tabs?",
  "what was the root cause?",
  "I always forget the git syntax",
  "we decided on pizza",
  "don't always use tabs",
  'he said "always use tabs"',
  "`always use tabs` is what the linter says",
  "> always use tabs",
  "the docs say: never use eval",
  "remember when this was fast?",
  "remember to breathe",
  "turns out I'm hungry",
  "never mind",
])("%s is no signal", (prompt) => {
  expect(scanSignals(said(prompt))).toEqual([]);
});
