/** Names a memory in a list of names: its slot, without the value. Pure. */
import type { NodeOutline } from "#domain";
import { cutAtWord } from "#kit";
import { neutralise } from "./neutral.ts";
import { isOwnWords } from "./worded.ts";

/** Words of an address that name a rule without a slot. */
const addressWordsMax = 4;
/** Beginning of the line that names anything else without a slot: an address says too little of it. */
const beginningCharsMax = 44;

type Named = Pick<NodeOutline, "category" | "l0" | "origin" | "slot" | "uri">;

/** `demo account · name`, or the beginning of the line, quoted unless the user said it; of a rule, words of its address. */
export function slotNameOf({ category, l0, origin, slot, uri }: Named): SlotName {
  const [subject = "", attribute = ""] = (slot ?? "").split(" · ");
  if (subject !== "") return { subject: neutralise(subject), attribute: neutralise(attribute) };
  if (category === "preferences" || category === "patterns")
    return { subject: neutralise(leafWords(uri)), attribute: "" };
  const beginning = cutAtWord(neutralise(l0).replaceAll('"', ""), beginningCharsMax);
  return {
    subject: isOwnWords({ origin, l0 }) ? beginning.replace(/[.!。！]$/u, "") : `"${beginning}"`,
    attribute: "",
  };
}

const leafWords = (uri: string): string =>
  decodeURIComponent(uri.split("/").at(-1) ?? "")
    .split("-")
    .slice(0, addressWordsMax)
    .join(" ");

export interface SlotName {
  readonly subject: string;
  /** Empty where the memory has no slot. */
  readonly attribute: string;
}
