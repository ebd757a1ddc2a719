/** Points at memories that may help a prompt: the names of their slots and their ids, without the values. Pure. */
import { type MemoryNode, shortIdOf } from "#domain";
import { cutToTokens, tokensOf } from "#kit";
import { wrapBare } from "./lines.ts";
import { slotNameOf } from "./slot-name.ts";

/** The block included. */
const pointerTokensMax = 30;
const nameTokensMax = 10;

/** `Continuity may know: shipping cut-off #4k · invoices currency #7`; empty where nothing has a slot. */
export function composePointer(nodes: readonly MemoryNode[]): string {
  const names: string[] = [];
  let text = "";
  for (const node of nodes.filter(({ slot }) => slot !== null)) {
    const { subject, attribute } = slotNameOf(node);
    const slot = cutToTokens(`${subject} ${attribute}`.trim(), nameTokensMax);
    const more = [...names, `${slot} ${shortIdOf(node.id)}`];
    const longer = wrapBare("prompt", [`Continuity may know: ${more.join(" · ")}`]);
    if (tokensOf(longer) > pointerTokensMax) break;
    names.push(...more.slice(-1));
    text = longer;
  }
  return text;
}
