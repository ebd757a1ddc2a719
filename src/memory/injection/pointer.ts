/** Points at memories that may help a prompt: the names of their slots and their ids, without the values. Pure. */
import { type MemoryNode, shortIdOf } from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import { wrapBare } from "./lines.ts";
import { slotNameOf } from "./slot-name.ts";

/** With the block that it stands in when it stands alone. */
const pointerTokensMax = 30;
const nameTokensMax = 10;
const head = "Continuity may know: ";

/** `Continuity may know: shipping cut-off #4k · invoices currency #7`; empty where nothing has a slot. */
export function pointerLine(nodes: readonly MemoryNode[]): string {
  const names: string[] = [];
  let line = "";
  for (const node of nodes.filter(({ slot }) => slot !== null)) {
    const { subject, attribute } = slotNameOf(node);
    const slot = cutToTokens(`${subject} ${attribute}`.trim(), nameTokensMax);
    const more = [...names, `${slot} ${shortIdOf(node.id)}`];
    const longer = `${head}${more.join(" · ")}`;
    if (tokensOf(wrapBare("prompt", [longer])) > pointerTokensMax) break;
    names.push(...more.slice(-1));
    line = longer;
  }
  return line;
}

/** Short ids that stand in such a line of a text. */
export const namedIds = (text: string): readonly string[] =>
  text
    .split("\n")
    .flatMap((line) => (line.startsWith(head) ? (line.match(/#[0-9a-z]+/gu) ?? []) : []));
