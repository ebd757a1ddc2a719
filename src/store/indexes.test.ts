import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { checkDatabase } from "./snapshot.ts";
import { cause, draft, noonMs, openOk, tempFolder, tempStore } from "../../test/support/store.ts";

const indexes = ["mem_fts", "archive_fts", "prompt_fts", "checkpoint_fts"];
const words = ["quokka", "zebra", "the office", "parseConfig", "配置文件", "Café"];

/** A long text now and then: lists of positions then span pages. */
const text = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom(1, 1, 1, 40, 300))
  .map(([word, times]) => `${word} `.repeat(times));
const step = fc.record({
  act: fc.constantFrom("insert", "insert", "update", "retract", "forget"),
  pick: fc.nat(),
  text,
  isArchive: fc.boolean(),
});

test("whatever happens to memories, several at a time, the indexes stay sound and in step", () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 12 }), (batches) => {
      using store = tempStore();
      const live = new Map<number, string>();
      let n = 0;
      for (const batch of batches)
        store.transaction(() => {
          for (const { act, pick, text: l0, isArchive } of batch) {
            const id = [...live.keys()][pick % Math.max(1, live.size)];
            if (act === "insert" || id === undefined) {
              n += 1;
              const uri = isArchive ? `mem://sessions/s/moments/${n}` : `mem://user/entities/e${n}`;
              const category = isArchive ? "sessions" : "entities";
              live.set(store.nodes.insert(draft({ uri, category, l0 }), cause()).id, l0);
            } else if (act === "update") {
              store.nodes.update(id, { l0 }, cause({ action: "edit" }));
              live.set(id, l0);
            } else {
              if (act === "retract") store.nodes.retract(id, cause({ action: "retract" }));
              else store.nodes.forget([id], [], noonMs);
              // Forgetting takes moments along that repeat the text.
              for (const each of live.keys())
                if ((store.nodes.byId(each)?.status ?? "retracted") === "retracted")
                  live.delete(each);
            }
          }
        });
      for (const word of words) {
        const found = (["memory", "moment"] as const).flatMap((kind) =>
          store.lexical.match(kind, [word], { projects: null }, 100).map(({ id }) => id),
        );
        const expected = [...live].filter(([, l0]) => l0.includes(word));
        expect(new Set(found)).toEqual(new Set(expected.map(([id]) => id)));
      }
      using db = new Database(store.folder.database);
      for (const index of indexes)
        db.run(`INSERT INTO ${index} (${index}) VALUES ('integrity-check')`);
      expect(checkDatabase(store.folder.database)).toMatchObject({ ok: true });
    }),
    { numRuns: 25, includeErrorInReport: true },
  );
});

test("a damaged index is named by the quick check", () => {
  using folder = tempFolder();
  {
    using store = openOk(folder.database);
    store.nodes.insert(draft(), cause());
  }
  const bytes = readFileSync(folder.database, "latin1");
  writeFileSync(folder.database, bytes.replaceAll("billing", "billyng"), "latin1");
  expect(checkDatabase(folder.database)).toMatchObject({
    ok: false,
    error: { type: "store.corrupt", detail: expect.stringContaining("mem_fts") },
  });
});
