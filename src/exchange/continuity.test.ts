/** Our own exports: what comes back is what went out, and nothing is overwritten by it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemRandom } from "#kit";
import { exportLines, writeLinesFolder, writeMarkdownFolder } from "./out/folder.ts";
import { buildClaudeMem } from "../../test/support/import/claude-mem.ts";
import { importNowMs, openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { writeTranscripts } from "../../test/support/import/transcripts.ts";

// Real stores on a disk that may be busy.
setDefaultTimeout(20_000);

function exportOf(t: TestImport): string {
  let text = "";
  exportLines(t.store.portable.records(), (piece) => void (text += piece));
  return text;
}
/** The export as it reads after an import: a file does not prove what the user said. */
const imported = (text: string): string => text.replaceAll('"origin":"user"', '"origin":"import"');
const all = { limit: 500 };

/** A home with something of every kind that an import can bring about. */
async function openFilled(): Promise<TestImport> {
  const t = openTestImport();
  await t.run("claude-mem", buildClaudeMem(join(t.folder, "claude-mem.db"), 9).path);
  writeTranscripts({
    folder: join(t.folder, "projects"),
    seed: 5,
    bytes: 150_000,
    outputBytes: 300,
    projects: 2,
    startMs: importNowMs - 9 * 86_400_000,
  });
  await t.run("claude-code", join(t.folder, "projects"));
  const [first, second] = t.store.nodes.list({ projects: null }, "uri", all);
  t.store.nodes.update(
    first?.id ?? 0,
    {
      l0: "A line with  odd   spaces and a \\<!-- mark",
      l2: "one\n<!-- continuity: full -->\n\\<!-- continuity: overview -->\n\ntwo\n\n",
    },
    { atMs: importNowMs, action: "edit", by: "user", reason: "by hand" },
  );
  t.store.nodes.relate(first?.id ?? 0, second?.id ?? 0, "related", importNowMs);
  t.store.nodes.forget([], ["a sentence that nobody wants any more"], importNowMs);
  return t;
}

function written(t: TestImport, text: string): string {
  const path = join(t.folder, "export.jsonl");
  writeFileSync(path, text);
  return path;
}

describe("an export", () => {
  test("imported into an empty home exports the same bytes", async () => {
    using t = await openFilled();
    const before = exportOf(t);
    using empty = openTestImport();
    const report = await empty.run("continuity", written(empty, before));
    expect(report).toMatchObject({
      refused: 0,
      skipped: 0,
      merged: 0,
      read: before.split("\n").length - 3,
    });
    expect(exportOf(empty)).toBe(imported(before));
  });

  test("imported twice, or in pieces, is the same as once", async () => {
    using t = await openFilled();
    const before = exportOf(t);
    using empty = openTestImport();
    const path = written(empty, before);
    for (let batches = 1; batches < 12; batches += 2)
      await empty.run("continuity", path, { batches }).catch(() => undefined);
    await empty.run("continuity", path);
    expect(exportOf(empty)).toBe(imported(before));
    expect(await empty.run("continuity", path)).toMatchObject({
      created: 0,
      refused: 0,
      reasons: { "is there already": expect.any(Number) as number },
    });
    expect(exportOf(empty)).toBe(imported(before));
  });

  test("is found by its meaning after it came back", async () => {
    using t = await openFilled();
    using empty = openTestImport();
    await empty.run("continuity", written(empty, exportOf(t)));
    const found = empty.finder.find({
      text: "how long is a place on deck held for a passenger",
      projects: null,
      homeProject: null,
      kinds: ["memory"],
      sort: "relevance",
      limit: 3,
      nowMs: importNowMs,
    });
    expect(found.some(({ l0 }) => l0.includes("Seat reservations"))).toBe(true);
  });

  test("does not overwrite what was edited since", async () => {
    using t = await openFilled();
    const path = written(t, exportOf(t));
    const node = t.store.nodes.list({ projects: null, categories: ["cases"] }, "uri", all)[0];
    t.store.nodes.update(
      node?.id ?? 0,
      { l0: "The timetable is fine since spring" },
      { atMs: importNowMs + 1, action: "edit", by: "user", reason: "" },
    );
    expect(await t.run("continuity", path)).toMatchObject({ created: 0 });
    expect(t.store.nodes.byId(node?.id ?? 0)?.l0).toBe("The timetable is fine since spring");
  });

  test("brings back nothing that was forgotten here", async () => {
    using t = await openFilled();
    const text = exportOf(t);
    using other = openTestImport();
    other.store.nodes.forget(
      [],
      ["harbour: Seat reservations expire after twelve minutes. Agreed with the harbour office"],
      1,
    );
    const use = text.split("\n").find((line) => /^\{"kind":"toolUse".*"text":"/u.test(line));
    const { sessionId, text: printed } = JSON.parse(use ?? "{}") as Record<string, string>;
    other.store.nodes.forget([], [printed ?? ""], 1);
    await other.run("continuity", written(other, text));
    const uses = other.store.sessions.toolUses(sessionId ?? "", null);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.map((one) => one.text)).not.toContain(printed ?? null);
    const nodes = other.store.nodes.list({ projects: null }, "uri", all);
    expect(nodes.filter(({ l0 }) => l0.includes("Seat reservations"))).toEqual([]);
  });

  test("brings what its user said again after it was forgotten here, and nothing from before", async () => {
    using t = await openFilled();
    const insert = (name: string, atMs: number): void => {
      const uri = `mem://user/entities/${name}`;
      const l0 = `The ${name} is at pier 4`;
      t.store.nodes.insert(
        { uri, category: "entities", project: null, l0, origin: "user", maker: "manual" },
        { atMs, action: "create", by: "user", reason: "" },
      );
    };
    insert("crane", importNowMs);
    insert("winch", importNowMs + 9);
    using other = openTestImport();
    const texts = ["The crane is at pier 4", "The winch is at pier 4"];
    other.store.nodes.forget([], texts, importNowMs + 5);
    await other.run("continuity", written(other, exportOf(t)));
    expect(texts.map((text) => other.store.nodes.isForgotten(text))).toEqual([true, false]);
    const nodes = other.store.nodes.list({ projects: null }, "uri", all);
    expect(nodes.map(({ l0 }) => l0).filter((l0) => l0.includes("pier 4"))).toEqual([
      "The winch is at pier 4",
    ]);
  });

  test("that lost its end gives what is whole, and says so", async () => {
    using t = await openFilled();
    const text = exportOf(t);
    using empty = openTestImport();
    const report = await empty.run(
      "continuity",
      written(empty, text.slice(0, Math.floor(text.length * 0.7))),
    );
    expect(report.created).toBeGreaterThan(10);
    expect(report.reasons).toMatchObject({
      "the last line is cut off": 1,
      "the rest is missing: the file is cut off": 1,
    });
  });

  test("of a newer format is refused whole", async () => {
    using t = openTestImport();
    const path = written(t, '{"kind":"continuity","format":2}\n{"kind":"node"}\n');
    expect(await t.failure("continuity", path)).toContain("newer version");
  });

  test("passes the gate: a secret that was put into it does not come in", async () => {
    using t = await openFilled();
    const text = exportOf(t).replace(
      "Longer holds blocked",
      "<private>blowfish-31</private> Longer holds blocked",
    );
    using empty = openTestImport();
    await empty.run("continuity", written(empty, text));
    expect(exportOf(empty)).not.toContain("blowfish-31");
  });
});

describe("an export of somebody else", () => {
  const uri = "mem://user/entities/sovasim-session-listens-port-2045";
  test("brings nothing that its user said, neither now nor by going back", async () => {
    using t = await openFilled();
    const text = exportOf(t);
    expect(text).toContain('"origin":"user"');
    using empty = openTestImport();
    expect(await empty.run("continuity", written(empty, text))).toMatchObject({ refused: 0 });
    expect(empty.store.nodes.byUri(uri)?.origin).toBe("import");
    expect(exportOf(empty)).not.toContain('"origin":"user"');
  });

  test("counts every record: broken, of an unknown kind, twice, not text, behind its end", async () => {
    using t = await openFilled();
    const lines = exportOf(t).trimEnd().split("\n");
    const first = lines[1] ?? "";
    const wrong = [first, '{"kind":"hologram"}', "{broken}", '{"kind":"node"}', "\u00FF"];
    const all = [...lines.slice(0, -1), ...wrong, lines.at(-1), first, "more"];
    using empty = openTestImport();
    const path = join(empty.folder, "export.jsonl");
    writeFileSync(
      path,
      Buffer.concat(
        all.map((line = "") => Buffer.from(`${line}\n`, line === "\u00FF" ? "latin1" : "utf8")),
      ),
    );
    const report = await empty.run("continuity", path);
    const whole = lines.length - 2;
    expect(report).toMatchObject({ read: whole + 7, created: whole, skipped: 2, refused: 5 });
    expect(report.reasons).toMatchObject({
      "not JSON": 1,
      "not UTF-8 text": 1,
      "stands behind the end of the export": 2,
    });
  });
});

describe("a folder", () => {
  test("of lines is read like its file", async () => {
    using t = await openFilled();
    const folder = join(t.folder, "out");
    expect(writeLinesFolder(folder, t.store, systemRandom).ok).toBe(true);
    using empty = openTestImport();
    await empty.run("continuity", folder);
    expect(exportOf(empty)).toBe(imported(exportOf(t)));
  });

  test("of pages is for reading, and says so", async () => {
    using t = await openFilled();
    const folder = join(t.folder, "pages");
    expect(writeMarkdownFolder(folder, t.store, systemRandom).ok).toBe(true);
    expect(await t.failure("continuity", folder)).toContain("Markdown pages of an export");
  });

  test("that is none of ours is refused", async () => {
    using t = openTestImport();
    expect(await t.failure("continuity", t.folder)).toContain(
      "no folder that an export was written to",
    );
  });
});
