/** What a memory is about, so that two memories of one thing are known to be rivals. Pure. */

/** Between subject and attribute; neither contains it. */
const joint = " · ";
const partCharsMax = 60;

/** `prod database · engine`: lower case, white space and punctuation folded. Null when a part says nothing. */
export function slotOf(subject: string, attribute: string): string | null {
  const parts = [subject, attribute].map(folded);
  return parts.includes("") ? null : parts.join(joint);
}

/** Marks inside names (`orders-v2`, `src/a.ts`, `c++`) tell things apart and stay. */
const folded = (part: string): string =>
  part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._/+#@-]+/gu, " ")
    .replace(/(?<![\p{L}\p{N}+#])[._/+#@-]+|[._/@-]+(?![\p{L}\p{N}])/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, partCharsMax)
    .trim();
