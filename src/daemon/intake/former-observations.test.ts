/** Observations of earlier versions become leaves of the archive, at the addresses they always had. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestWorker } from "../../../test/support/worker.ts";
import { moveObservations } from "../jobs/upkeep.ts";

const titles = ["Retry loop mended", "The door code is quokka nineteen", "Winch renamed"];

function oldHome(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "continuity-observed-"));
  {
    using app = openTestWorker({ folder });
    app.submit("look after the retry loop", "p-1");
  }
  using db = new Database(join(folder, "continuity.db"));
  for (const title of titles)
    db.run(
      `INSERT INTO observations (session_id, turn, project, type, at_ms, title, subtitle, narrative, facts, concepts,
         files_read, files_modified)
       VALUES ('s-1', 1, NULL, 'bugfix', 1000, ?, 'backoff was missing', '', '["max_retries is 5"]', '["resilience"]',
         '["src/http.ts"]', '["src/retry.ts"]')`,
      [title],
    );
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

test("each is found by its words, its type and its concept, once", () => {
  using home = oldHome();
  using app = openTestWorker({ folder: home.folder });
  for (let times = 0; times < 2; times += 1) for (const _ of moveObservations(app.deps));
  expect(app.store.sessions.formerObservations(9)).toEqual([]);
  expect(app.store.nodes.byUri("mem://sessions/s-1/observations/1")).toMatchObject({
    l0: "Retry loop mended",
    l1: "backoff was missing\n- max_retries is 5",
    tags: ["bugfix", "resilience"],
    files: ["src/retry.ts", "src/http.ts"],
    sourceSession: "s-1",
    validFrom: 1_000,
  });
  const find = (more: object) =>
    app.deps.finder
      .find({
        text: "retry loop",
        kinds: ["moment"],
        projects: null,
        homeProject: null,
        limit: 5,
        sort: "relevance",
        nowMs: app.clock.nowMs(),
        ...more,
      })
      .map(({ l0 }) => l0);
  expect(find({ tags: ["bugfix", "resilience"] })[0]).toBe("Retry loop mended");
  expect(find({ tags: ["feature"] })).toEqual([]);
});

test("what was forgotten before is moved no more, and what is forgotten first goes with its row", () => {
  using home = oldHome();
  using app = openTestWorker({ folder: home.folder });
  app.store.nodes.forget([], ["The door code is quokka nineteen"], app.clock.nowMs());
  expect(app.store.sessions.formerObservations(9).map(({ title }) => title)).toEqual([
    "Retry loop mended",
    "Winch renamed",
  ]);
  app.store.nodes.refuse(["Winch renamed"], app.clock.nowMs());
  for (const _ of moveObservations(app.deps));
  const told = app.store.nodes.list({ projects: null, archive: true }, "uri", {
    limit: 9,
  });
  expect(told.map(({ l0 }) => l0)).toEqual(["Retry loop mended"]);
});
