/** Finds the last proposal of an agent's answer, for a user who says "remember that". Pure. */
import { orderIn, sentencesOf } from "#language";
import { oneLine } from "#kit";

const tailChars = 4_000;
const charsMin = 12;

/** "Shall I note that X?" proposes X; else the last statement that offers and asks nothing. Null when there is none. */
export function proposedIn(answer: string): string | null {
  const sentences = sentencesOf(answer.slice(-tailChars)).map(({ text, isQuestion }) => ({
    text: oneLine(text.replace(/[*_]{2}/gu, "")),
    isQuestion,
  }));
  const asked = sentences.at(-1);
  if (asked?.isQuestion === true) {
    const offer = asked.text.replace(offers, "").replace(/[?？]\s*$/u, "");
    const matter = offer === asked.text ? null : (orderIn(offer)?.matter ?? null);
    if (matter !== null) return offer.slice(matter.start, matter.end).trim();
  }
  const told = sentences.filter(
    ({ text, isQuestion }) => !isQuestion && text.length >= charsMin && !closes.test(text),
  );
  return told.at(-1)?.text ?? null;
}

const offers = new RegExp(
  String.raw`^(?:(?:should|shall|can|may) i|(?:do you|would you) (?:want|like) me to|want me to|` +
    String.raw`soll ich(?: mir)?|möchtest du, dass ich(?: mir)?|dois-je|veux-tu que je|¿?(?:debo|quieres que)|` +
    String.raw`devo|quer que eu|мне|要不要我|需要我)\s*`,
  "iu",
);
const closes = new RegExp(
  String.raw`^(?:let me know|tell me|feel free|i can|i could|if you|happy to|sag|dites|dis-moi|avísame|` +
    String.raw`me avise|дайте знать|告诉我|お知らせ)`,
  "iu",
);
