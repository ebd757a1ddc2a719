import { expect, test } from "bun:test";
import { commands } from "./commands/index.ts";
import { createProgram } from "./program.ts";
import { standingAnswers } from "./standing.ts";
import { folded, markFolding } from "./standing-width.ts";

const nothing = (): void => undefined;

/** Help as the whole table writes it. */
async function written(helpWidth: number): Promise<ReadonlyMap<string, string>> {
  const forms = await import("#api/forms");
  const io = { out: nothing, err: nothing, helpWidth, forms };
  const program = createProgram(commands, io, "1.2.3", async () => undefined);
  return new Map([
    ["help", program.helpInformation()],
    ...program.commands.map((one) => [`${one.name()} --help`, one.helpInformation()] as const),
  ]);
}

test.each([0, 20, 40, 60, 79, 80, 100, 132, 400])(
  "help that was written out is, at a width of %i, what the table writes",
  async (width) => {
    const answers = await standingAnswers("1.2.3");
    const table = await written(width);
    expect(table.size).toBeGreaterThan(30);
    let compared = 0;
    for (const [asked, text] of table) {
      const answer = answers[asked];
      if (answer === undefined) continue;
      expect(folded(answer, width)).toBe(text);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(30);
  },
);

test("completion has nothing that is folded", async () => {
  const { "completion bash": bash = "" } = await standingAnswers("1.2.3");
  expect(bash).not.toBe("");
  expect(folded(bash, 40)).toBe(bash);
});

test("a text that has lines already is refused", () => {
  expect(() => markFolding("one\ntwo", 4)).toThrow("more than one line");
});
