/** Texts of providers, made short and safe for a message: one line, bounded, without the key. */
import { cutAtWord, oneLine } from "#kit";
import { llmLimits } from "./limits.ts";

/** What a message may say of an error. A gateway may echo the key it was given; then it is taken out. */
export const detailOf = (text: string, secret: string | null): string =>
  cutAtWord(
    oneLine(secret === null ? text : text.replaceAll(secret, "[key]")),
    llmLimits.detailCharsMax,
  );

/** Beginning of a reply that could not be read. For the log of a developer, never for memory. */
export const excerptOf = (text: string): string =>
  cutAtWord(oneLine(text), llmLimits.excerptCharsMax);
