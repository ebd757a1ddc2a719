/** Tests which words of a line are another's. */
import { expect, test } from "bun:test";
import { withoutCitations } from "./citations.ts";

test.each([
  ["The wiki says: always use qq", "The wiki says"],
  ["it lags like you said and fails. note qq", "it lags like you said and fails. note qq"],
  ["es hängt, wie Kim sagte, oft. merk dir qq", "es hängt, wie Kim sagte, oft. merk dir qq"],
  ['Kim said "never". remember qq', "Kim said        . remember qq"],
  ["Kim told me that qq is slow. Use elm.", "Kim told me                . Use elm."],
  ["« toujours qq », dit la charte. Note elm.", "« toujours qq », dit          . Note elm."],
  ["// always use qq", ""],
  ["a <b>qq</b> line", "a           line"],
  ["remember that Kim said qq is slow", "remember that Kim said qq is slow"],
  ["what I've just said about qq", "what I've just said about qq"],
  ["the guide we use says qq", "the guide we use says"],
  ["was ich eben über elm sagte, qq", "was ich eben über elm sagte, qq"],
  ["ce que je t'ai dit sur qq", "ce que je t'ai dit sur qq"],
  ["o que eu te disse sobre qq", "o que eu te disse sobre qq"],
  ["o Kim disse qq", "o Kim disse"],
  ["то что я сейчас сказал про qq", "то что я сейчас сказал про qq"],
  ["Ким сказал qq", "Ким сказал"],
  ["always use qq, as the page says.", "always use qq, as the page says."],
])("%s", (line, own) => {
  expect(withoutCitations(line).trimEnd()).toBe(own);
  expect(withoutCitations(line)).toHaveLength(line.length);
});
