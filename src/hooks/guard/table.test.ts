/** Words and deeds: what the user forbade is caught in whatever way it is done, and nothing else is. */
import { describe, expect, test } from "bun:test";
import { banIn, sentencesOf } from "#language";
import type { GuardForm } from "#domain";
import { guardAgainst } from "./match.ts";
import {
  heldBackInnocents,
  heldBackViolations,
  innocents,
  violations,
  withoutForm,
  type Case,
} from "../../../test/support/guard/deeds.ts";
import * as ecosystems from "../../../test/support/guard/ecosystems.ts";

const root = "/home/dev/shop";

const formOfWords = (words: string): GuardForm | null =>
  sentencesOf(words)
    .map(({ text }) => banIn(text))
    .find((form) => form !== null) ?? null;

function isCaught([words, deed]: Case): boolean {
  const form = formOfWords(words);
  if (form === null) throw new Error(`no form: ${words}`);
  const isCommand = typeof deed === "string";
  const asked = {
    tool: isCommand ? "Bash" : deed.tool,
    command: isCommand ? deed : null,
    path: isCommand ? null : deed.path,
    cwd: root,
    root,
  };
  return guardAgainst([{ decision: "ask", form }], asked) !== null;
}

const named = (cases: readonly Case[]): [string, string, Case][] =>
  cases.map((one) => [
    one[0],
    typeof one[1] === "string" ? one[1] : `${one[1].tool} ${one[1].path}`,
    one,
  ]);

describe("caught", () => {
  test.each(named([...violations, ...ecosystems.violations]))("%s: %s", (_, __, one) =>
    expect(isCaught(one)).toBe(true),
  );
  test.each(named([...heldBackViolations, ...ecosystems.heldBackViolations]))(
    "%s: %s",
    (_, __, one) => expect(isCaught(one)).toBe(true),
  );
});

describe("passes", () => {
  test.each(named([...innocents, ...ecosystems.innocents]))("%s: %s", (_, __, one) =>
    expect(isCaught(one)).toBe(false),
  );
  test.each(named([...heldBackInnocents, ...ecosystems.heldBackInnocents]))(
    "%s: %s",
    (_, __, one) => expect(isCaught(one)).toBe(false),
  );
});

test.each(withoutForm.map((words) => [words]))("nothing to check in: %s", (words) => {
  expect(formOfWords(words)).toBeNull();
});
