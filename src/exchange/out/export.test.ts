import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PortableRecord, Store } from "#domain";
import { stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import {
  exportLines,
  writeLinesFolder,
  writeMarkdownFolder,
  memoryPage,
  pagePath,
} from "./folder.ts";

const record = (n: number): PortableRecord => ({ kind: "forgotten", fingerprint: `${n}`, atMs: n });

describe("lines", () => {
  test("say what they are, and at the end that they are whole", () => {
    const pieces: string[] = [];
    expect(exportLines([record(1)], (piece) => void pieces.push(piece))).toBe(1);
    expect(pieces.join("")).toBe(
      '{"kind":"continuity","format":1}\n{"kind":"forgotten","fingerprint":"1","atMs":1}\n{"kind":"end","records":1}\n',
    );
  });

  test("come in pieces of whole lines, taken one record at a time", () => {
    let taken = 0;
    const records = (function* () {
      for (; taken < 10_000; taken += 1) yield record(taken);
    })();
    const pieces: { readonly text: string; readonly taken: number }[] = [];
    exportLines(records, (text) => void pieces.push({ text, taken }));
    expect(pieces[0]?.text).toEndWith("\n");
    expect(pieces[0]?.taken).toBeLessThan(2_000);
    expect(
      pieces
        .map((piece) => piece.text)
        .join("")
        .split("\n"),
    ).toHaveLength(10_003);
  });
});

describe("Markdown of a memory", () => {
  const node: PortableRecord = {
    kind: "node",
    uri: "mem://user/x",
    l0: "One line",
    l1: "Over",
    l2: null,
    tags: ["a: b"],
  };
  test("front matter is a JSON value a line; texts follow", () => {
    expect(memoryPage({ node, mergedFrom: [], links: [] })).toBe(
      '---\nuri: "mem://user/x"\ntags: ["a: b"]\nmergedFrom: []\nlinks: []\n---\n\n# One line\n\n<!-- continuity: overview -->\nOver\n',
    );
    expect(pagePath("mem://user/x")).toBe("user/x.md");
  });

  test("a text cannot end its section by saying the next one's mark", () => {
    const l1 = "a\n<!-- continuity: full -->\n\\<!-- continuity: full -->";
    const page = memoryPage({ node: { ...node, l1 }, mergedFrom: [], links: [] });
    expect(page).toContain("\na\n\\<!-- continuity: full -->\n\\\\<!-- continuity: full -->\n");
    expect(page.match(/^<!-- continuity: full -->$/gm)).toBeNull();
  });
});

function withStore(work: (store: Store, folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "continuity-export-"));
  const opened = openStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock: stoppedClock(1_000),
    random: systemRandom,
  });
  if (!opened.ok) throw new Error("test store");
  const { value: store } = opened;
  try {
    store.nodes.insert(
      {
        uri: "mem://user/entities/kiln",
        category: "entities",
        project: null,
        l0: "The kiln burns at 900 degrees",
        origin: "user",
        maker: "manual",
      },
      { atMs: 1_000, action: "create", by: "user", reason: "" },
    );
    work(store, folder);
  } finally {
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("an export folder", () => {
  test.each([
    ["jsonl", writeLinesFolder],
    ["markdown", writeMarkdownFolder],
  ] as const)("of %s is made, made again, and never over something else", (_, write) =>
    withStore((store, folder) => {
      const out = join(folder, "out");
      expect(write(out, store, systemRandom)).toMatchObject({ ok: true });
      const names = readdirSync(out, { recursive: true });
      expect(write(out, store, systemRandom)).toMatchObject({ ok: true });
      expect(readdirSync(out, { recursive: true })).toEqual(names);
      mkdirSync(join(folder, "mine"));
      writeFileSync(join(folder, "mine", "thesis.md"), "x");
      symlinkSync(join(folder, "mine"), join(folder, "link"));
      for (const name of ["mine", "link", "continuity.db"])
        expect(write(join(folder, name), store, systemRandom)).toMatchObject({
          ok: false,
          error: { type: "export.occupied" },
        });
      expect(readdirSync(folder).filter((name) => /\.(?:new|old)-/.test(name))).toEqual([]);
    }),
  );

  test("a failure half-way leaves the earlier export as it was, and nothing beside it", () =>
    withStore((store, folder) => {
      const out = join(folder, "out");
      writeLinesFolder(out, store, systemRandom);
      const before = readFileSync(join(out, "continuity.jsonl"), "utf8");
      const full: Store = {
        ...store,
        portable: {
          ...store.portable,
          *records() {
            yield record(1);
            throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
          },
        },
      };
      const failed = writeLinesFolder(out, full, systemRandom);
      expect(failed).toMatchObject({ ok: false, error: { type: "export.failed" } });
      expect(readFileSync(join(out, "continuity.jsonl"), "utf8")).toBe(before);
      expect(readdirSync(folder).filter((name) => name.startsWith("out"))).toEqual(["out"]);
    }));
});
