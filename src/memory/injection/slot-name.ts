/** Names a memory in a list of names: its slot, without the value. Pure. */
import type { NodeOutline } from "#domain";
import { neutralise } from "./neutral.ts";

/** Words of an address that name a memory without a slot. */
const addressWordsMax = 4;

/** `demo account · name`, or the words of its address. */
export function slotNameOf({ slot, uri }: Pick<NodeOutline, "slot" | "uri">): SlotName {
  const [subject = "", attribute = ""] = (slot ?? "").split(" · ");
  if (subject !== "") return { subject: neutralise(subject), attribute: neutralise(attribute) };
  const leaf = decodeURIComponent(uri.split("/").at(-1) ?? "");
  return {
    subject: neutralise(leaf.split("-").slice(0, addressWordsMax).join(" ")),
    attribute: "",
  };
}

export interface SlotName {
  readonly subject: string;
  /** Empty where the memory has no slot. */
  readonly attribute: string;
}
