/**
 * Lists that a line introduces as another's text: "here's our AGENTS.md:", "the wiki says:". Their items are not the
 * user's rules, though the user typed or pasted them line by line. Pure.
 */
import { aloneOr, boundedOr, letters, listsOf } from "./lists.ts";
import text from "./lists/introduced.txt" with { type: "text" };

const lists = listsOf(text, "cites", "cites, any place", "writes", "asks", "asks, any place");

const cites = new RegExp(aloneOr(letters, lists.cites, lists["cites, any place"]), "iu");
/** A file and nothing to do with it. */
const namesFile =
  /(?:\b(?:README|CONTRIBUTING|CHANGELOG)\b|[\w-]+\.(?:md|txt|rst|adoc|mdc|html?|pdf))["'`)]?\s*[:：]$/u;
const isWritten = new RegExp(boundedOr(lists.writes), "iu");

/** Asks for what follows to be kept or held to: then the items are the user's. */
const asks = new RegExp(boundedOr(lists.asks, lists["asks, any place"]), "iu");

const item = /^\s*(?:[-*•・+]|\d{1,2}[.)])\s+\S/u;
const introduction = /[:：]["'”*_]{0,3}$/u;

const isForeign = (line: string): boolean =>
  introduction.test(line) &&
  !asks.test(line) &&
  (cites.test(line) || (namesFile.test(line) && !isWritten.test(line)));

/** The text without the items of such lists; their introduction stays. */
export function withoutIntroducedLists(text: string): string {
  if (!/[:：]/u.test(text)) return text;
  const kept: string[] = [];
  let isInside = false;
  for (const line of text.split("\n")) {
    const said = line.trim();
    const continues = said === "" || item.test(line) || /^\s{2,}\S/u.test(line);
    isInside = isInside && continues;
    if (isInside && said !== "") continue;
    kept.push(line);
    if (!isInside) isInside = isForeign(said);
  }
  return kept.join("\n");
}
