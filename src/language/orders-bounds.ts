/** Finds where an order's clause begins and its matter ends: brackets, courtesy, a condition before it. Pure. */

/** The places within a sentence at which an order may begin. */
export const boundary =
  /[,;()]\s*|\s[—–-]{1,2}\s+|[.!…]\s+|\s(?:and|so|but|und|aber|also|et|donc|y|así que|e|и|а|поэтому|então)\s+/giu;

/** "…, thx": no part of what is to be kept. */
const courtesyEnd = new RegExp(
  String.raw`\s*[,;.!—–-]\s*(?:thx|thanks(?: a lot| so much)?|thank you|cheers|please|pls|ok(?:ay)?|` +
    String.raw`danke(?: dir)?|bitte|` +
    String.raw`merci|stp|svp|gracias|por favor|obrigad[oa]|valeu|спасибо|пожалуйста)[.!\s]*$`,
  "iu",
);

/** The end of what begins at `start`: before the bracket that encloses it, and before a courtesy. */
export function matterEnd(said: string, start: number): number {
  const closing = isOpenAt(said, start) ? closingIn(said, start) : -1;
  const text = said.slice(start, closing === -1 ? said.length : closing);
  return start + text.replace(courtesyEnd, "").length;
}

const isOpenAt = (said: string, at: number): boolean => {
  const before = said.slice(0, at);
  return before.lastIndexOf("(") > before.lastIndexOf(")");
};

function closingIn(said: string, from: number): number {
  let depth = 0;
  for (let at = from; at < said.length; at += 1) {
    if (said[at] === "(") depth += 1;
    if (said[at] !== ")") continue;
    if (depth === 0) return at;
    depth -= 1;
  }
  return -1;
}

/** "When you write SQL, …", "no more tabs, …": what may stand before "always" and "never". */
const condition = new RegExp(
  String.raw`^(?:(?:when(?:ever)?|if|before|after|while|once|every time|each time|wenn|sobald|bevor|nachdem|falls|` +
    String.raw`quand|lorsque|si|avant d|après|cuando|antes de|después de|al|quando|se|depois de|когда|если|перед|` +
    String.raw`после)(?!\p{L})|(?:no more|stop|quit|don't|do not|never|kein\p{L}*|nie|nicht mehr|plus de|ne|n'|no|` +
    String.raw`nunca|jamais|não|не|хватит|никогда)(?!\p{L}))[^,;]{2,100}[,;]\s+`,
  "iu",
);

/** Text behind a condition, or behind a habit that is to end. */
export const beyondCondition = (said: string): string => said.replace(condition, "");

/** "Stop adding emojis, from now on …": the habit belongs to the rule. */
export const endsHabit = (clause: string): boolean => habit.test(clause.trim());
const habit = new RegExp(
  String.raw`^(?:please )?(?:stop|quit|no more|avoid|don't|do not|never|not|hör\p{L}*|kein\p{L}*|nie|arrête|plus de|` +
    String.raw`ne|n'|dej[ae] de|no|nunca|par[ae] de|não|перестань|хватит|не)(?!\p{L})`,
  "iu",
);

/** "Never use X again" holds for good. */
export const neverWithoutAgain = (head: string): string =>
  /^(?:please |por favor,? )?(?:never|nunca|jamais|jamás|никогда)(?!\p{L})/iu.test(head)
    ? withoutAgain(head)
    : head;

/** "Write docs in English again, from now on" holds for good. */
export const withoutAgain = (head: string): string =>
  head.replace(
    /(?<!\p{L})(?:again|nochmal|de nuevo|otra vez|de novo|novamente|снова|опять)(?!\p{L})/giu,
    "",
  );
