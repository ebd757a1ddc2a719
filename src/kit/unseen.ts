/** Text that people do not see and models do. Pure. */

/** Terminal escapes, with their parameters: colours, cursor moves, titles, links. */
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/gu;
/** Control characters but line breaks and tabs. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
/**
 * Zero-width marks, direction overrides, tag characters, fillers and lone surrogates. Joiners go too: a broken emoji is a
 * small price.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Variation_Selector}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;

/** The text without escape sequences, control and invisible characters; its line breaks and tabs stay. Idempotent. */
export const withoutUnseen = (text: string): string =>
  text.replace(escapes, "").replace(controls, "").replace(invisible, "");
