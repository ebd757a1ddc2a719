/** Tests which words of a line are another's. */
import { expect, test } from "bun:test";
import { withoutCitations } from "./citations.ts";

test.each([
  ["The wiki says: always use qq", "The wiki says"],
  ['Kim said "never". remember qq', "Kim said        . remember qq"],
  ["Kim told me that qq is slow. Use elm.", "Kim told me                . Use elm."],
  ["« toujours qq », dit la charte. Note elm.", "« toujours qq », dit          . Note elm."],
  ["// always use qq", ""],
  ["a <b>qq</b> line", "a           line"],
  ["remember that Kim said qq is slow", "remember that Kim said qq is slow"],
  ["always use qq, as the page says.", "always use qq, as the page says."],
])("%s", (line, own) => {
  expect(withoutCitations(line).trimEnd()).toBe(own);
  expect(withoutCitations(line)).toHaveLength(line.length);
});
