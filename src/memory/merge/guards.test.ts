/** Texts that may and may not say the same. */
import { describe, expect, test } from "bun:test";
import { duplicateGuards } from "./guards.ts";

describe("may say the same", () => {
  test.each([
    ["Backups go to the second site", "The backups go to the second site"],
    ["The cache lives for five minutes", "The cache lives for 5 minutes"],
    ["Sessions last 24h", "Sessions last one day"],
    ["Jobs start at 8am", "The jobs start at 08:00"],
    ["Uses bazel, never make", "Uses bazel instead of make"],
    ["The repo uses bazel", "The repository uses bazel"],
    [
      "Old screenshots are deleted, not archived",
      "Old screenshots are deleted, do not archive them",
    ],
    ["Ines reviews all migrations", "All migrations are reviewed by Ines"],
    ["Keep retries at no more than five", "Keep retries at 5"],
    ["The metric is queue_wait_ms", "queue_wait_ms is the metric"],
  ])("%s / %s", (a, b) => {
    expect(duplicateGuards(a, b)).toEqual({ compatible: true, reason: null });
    expect(duplicateGuards(b, a).compatible).toBe(true);
  });
});

describe("never say the same", () => {
  test.each([
    ["another number", "The limit is 3", "The limit is 5"],
    ["another port", "redis listens on 6379", "redis listens on 6380"],
    ["another version", "we are on node 20.1.0", "we are on node 22.0.0"],
    ["another time", "the job starts at 02:00", "the job starts at 03:15"],
    ["another unit", "sessions last 24 hours", "sessions last 24 minutes"],
    ["a negation", "squash on merge", "do not squash on merge"],
    ["a prohibition", "mock the clock in tests", "never mock the clock in tests"],
    ["reversed taste", "prefers tabs over spaces", "prefers spaces over tabs"],
    ["reversed choice", "chose Go over Rust for speed", "chose Rust over Go for speed"],
    ["another name", "billing is owned by Maria", "billing is owned by Tom"],
    [
      "another thing",
      "the billing service is owned by Maria",
      "the search service is owned by Maria",
    ],
    ["another tool", "run pnpm test before a commit", "run pnpm lint before a commit"],
    ["another package", "installs with yarn", "installs with npm"],
    ["opposite state", "the flag is enabled in production", "the flag is disabled in production"],
    ["another day", "no merges on friday", "no merges on monday"],
    ["another place", "staging runs on arm", "production runs on arm"],
    ["swapped roles", "search calls billing directly", "billing calls search directly"],
    ["swapped ends", "logs flow from the edge to the lake", "logs flow from the lake to the edge"],
    ["another identifier", "logs go to s3://corp-logs-eu", "logs go to s3://corp-logs-us"],
    ["another topic", "keep answers short", "keep commit messages short"],
    ["another project", "shop-web2 uses bazel", "shop-api2 uses bazel"],
  ])("%s: %s / %s", (_, a, b) => {
    expect(duplicateGuards(a, b).compatible).toBe(false);
    expect(duplicateGuards(b, a).compatible).toBe(false);
    expect(duplicateGuards(a, b).reason).toBeString();
  });
});
