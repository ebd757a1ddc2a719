/** Clauses that no rule names: what is kept of them, and what stays talk. */
import { describe, expect, test } from "bun:test";
import { candidatesOfTurn } from "./candidates.ts";
import { expectRemembered, turnOf } from "./candidates-fixtures.ts";

const linesOf = (prompt: string, answer = "ok"): readonly string[] =>
  candidatesOfTurn(turnOf({ prompt, answer })).map(({ l0 }) => l0);

describe("a clause with something specific in it", () => {
  test.each([
    ["guests get max 3 parcels per slot", "max 3 parcels"],
    ["crowdin picks the strings up hourly", "hourly"],
    ["carousels not tables", "carousels not tables"],
    ["the printer moved to the basement rack", "basement"],
    ["do that, column name weight_grams, same transaction", "weight_grams"],
    ["parcel page: columns left aligned, weights bold, empty rows hidden", "left aligned"],
    ["customs: suite 'eu-border', if it fails the label is not printed", "label"],
    ["labels are lucide", "lucide"],
    ["log level in staging is debug", "debug"],
    ["i don't want you to touch the belts without asking", "without asking"],
    ["drawings first next time, then code", "next time"],
    ["terraform-docs writes the readme now", "terraform-docs"],
  ])("is remembered: %s", (prompt, words) => {
    expect(linesOf(prompt).join("\n")).toContain(words);
  });

  test("is worth little", () => {
    const [note] = candidatesOfTurn(turnOf({ prompt: "crowdin picks the strings up hourly" }));
    expect(note?.importance).toBe(2);
  });

  test("gives way to rules when a prompt says more than can be kept", () => {
    const notes = Array.from({ length: 6 }, (_, n) => `crowdin picks list ${n + 3} up hourly`);
    const rules =
      "never mock alpha, always sort bravo, never cache charlie, don't log delta, always hash echo, never inline foxtrot, always gzip golf, don't export hotel, never pin india, always mask juliet, never rebase kilo, always seed lima".split(
        ", ",
      );
    const found = candidatesOfTurn(turnOf({ prompt: [...notes, ...rules].join(". ") }));
    expect(found.map(({ tags }) => tags[0])).not.toContain("note");
  });
});

describe("talk", () => {
  test.each([
    "ok food. back in an hour",
    "picking this up after two weeks off, what's the state",
    "3 of them fail on my machine",
    "i swear ill never touch printers again",
    "never thought 40 lines would do",
    "my dog ate half of the router docs in 5 minutes",
    "haha you used 300 lines for that",
    "use the tool to list my open PRs",
    "check that this works: LABEL_KEY=[redacted:env] pnpm print",
    "users are friendly",
    "lol the intern named a branch zzz9",
    "ok next ticket: BOX-311, add a csv download",
    "typo in line 40",
    "fix it next time",
    "the key is [redacted:api-key]",
  ])("leaves nothing: %s", (prompt) => {
    expect(linesOf(prompt)).toEqual([]);
  });
});

describe("a value that the answer confirms", () => {
  test.each([
    ["4 belts isn't enough, 12", "The sorter runs 12 belts now."],
    ["weekly is overkill, first monday of the month", "Stock counts run on the first Monday."],
  ])("is a change: %s", (prompt, answer) => {
    expectRemembered({ prompt, answer, want: [[answer.split(" ").at(1) ?? ""]] });
  });

  test("is none when the run of it is reported", () => {
    expect(linesOf("run all 12", "All 12 tests passed now.")).toEqual([]);
  });
});

describe("people", () => {
  test("are known everywhere by their role, with the name in place of the pronoun", () => {
    const [ines] = candidatesOfTurn(
      turnOf({ prompt: "ship the labels to Ines, she signs off everything customs reads" }),
    );
    expect(ines?.l0).toBe("Ines: she signs off everything customs reads");
    expect(ines?.project).toBeNull();
  });

  test.each(["kong handles all auth", "Redis handles all locks", "Ines wants labels in A6"])(
    "tools and wishes stay in the project: %s",
    (prompt) => {
      expect(candidatesOfTurn(turnOf({ prompt }))[0]?.project).toBe("github.com/corp/web");
    },
  );
});

describe("causes without the word", () => {
  test.each([
    [
      "the nightly manifest failed",
      "The task print_manifest ran out of memory: the pod has 2 GiB and the parcels table passed 9 million rows. Reading in chunks keeps it at 300 MiB.",
      "9 million rows",
    ],
    [
      "the parcel page gets slower and slower",
      "The socket in useParcels is opened on every filter change and never closed. Closing it in the cleanup keeps memory flat.",
      "never closed",
    ],
    [
      "why are the weights off by 3%",
      "June holds 1,204 parcels that the carrier sent again after its outage; the loader keys on the file id, so they were counted twice.",
      "carrier sent again",
    ],
  ])("are found beside their cure or on demand: %s", (prompt, answer, words) => {
    expect(linesOf(prompt, answer).join("\n")).toContain(words);
  });
});
