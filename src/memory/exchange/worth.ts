/** How likely a sentence says something that matters later: 0 to 1, learnt (train/worth.ts). Pure. */
import worthFile from "../../../models/learnt/worth.json" with { type: "json" };
import { classifierOf, type Place, traitsOf } from "./traits.ts";

const classify = classifierOf(worthFile);

/** Returns the worth of a sentence at its place in its message. */
export const worthOf = (sentence: string, place: Place): number =>
  classify(traitsOf(sentence, place));
