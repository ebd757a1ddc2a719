/** The lists of words: how a file is read, and that each file in `lists/` is one. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { aloneOr, cue, either, jaccard, letters, listsIn, phrasesOf } from "./lists.ts";

test("a line is a phrase, whatever stands in it; comments and empty lines are none", () => {
  expect(phrasesOf("# Words.\n\nfrom now on\n#tag\nun\\w{4,}\n")).toEqual([
    "from now on",
    "#tag",
    "un\\w{4,}",
  ]);
});

test("a file holds lists by name, each with one for scripts without spaces, if it has one", () => {
  const text = "# Two.\n\n== rule\nalways\nnever\n\n== rule, any place\n总是\n\n== no\nnein\n";
  const { alone, list, places } = listsIn(text);
  expect(list("rule")).toEqual(["always", "never"]);
  expect(places("rule")).toEqual(["总是"]);
  expect(places("no")).toEqual([]);
  expect(alone("no")).toBe(aloneOr(letters, ["nein"]));
  expect(() => list("yes")).toThrow();
});

test("phrases stand alone, or anywhere, as is asked", () => {
  const rule = cue(["never", "ab jetzt"], ["以后"]);
  for (const said of ["Never!", "und ab jetzt so", "以后都用"]) expect(rule.test(said)).toBe(true);
  for (const said of ["nevermore", "never2", "knab jetzt"]) expect(rule.test(said)).toBe(false);
  expect(new RegExp(aloneOr(letters, ["no"]), "u").test("no1")).toBe(true);
  expect(either(["a", "b"])).toBe("a|b");
});

test("every list is written one phrase a line, and says what it is", async () => {
  const faults: string[] = [];
  let read = 0;
  for await (const name of new Glob("*.txt").scan(`${import.meta.dir}/lists`)) {
    const text = await Bun.file(`${import.meta.dir}/lists/${name}`).text();
    read += 1;
    if (!text.startsWith("# ")) faults.push(`${name} does not say what it is`);
    for (const line of text.split("\n"))
      if (line !== line.trim()) faults.push(`${name}: ${JSON.stringify(line)}`);
  }
  expect(read).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});

test("nothing in common is zero, also for two empty sets", () => {
  expect(jaccard(new Set(), new Set())).toBe(0);
  expect(jaccard(new Set(["a"]), new Set(["a", "b"]))).toBe(0.5);
});
