/**
 * The force of a sentence: does it lay down a rule, does it deny? A memory may not be firmer than what was said, nor say
 * the opposite of it; and what nobody of the conversation said may not be a rule at all. Word lists, several languages,
 * since text that gives orders chooses its language. Pure.
 */
import { foldLookAlikes, foldText } from "./words.ts";

/** Words that make a statement a standing rule. */
const ruleWords =
  /\b(?:always|never|must|mustn't|forever|permanently|mandatory|from now on|going forward|in future|henceforth|every time|whenever you|make sure|be sure to|ensure|under no circumstances|without asking|without exception|immer|niemals|nie|stets|ab jetzt|ab sofort|siempre|nunca|jamás|a partir de ahora|toujours|jamais|désormais|dorénavant|sempre|mai più|d'ora in poi|altijd|nooit|vanaf nu|alltid|aldrig|zawsze|nigdy|her zaman|asla|luôn luôn|không bao giờ)\b|\b(?:do not|don't|dont)\b|всегда|никогда|отныне|впредь|запомни|завжди|ніколи|总是|總是|始终|始終|永远|永遠|从现在|從現在|必须|必須|务必|務必|绝不|絕不|请记住|請記住|いつも|常に|必ず|絶対|今後|覚えて|항상|절대|반드시|앞으로|기억해|دائما|أبدا|يجب|تذكر|תמיד|לעולם|हमेशा|कभी/u;

/** Words that speak to whoever reads: an order to the reader, to its memory, or a claim about what the user wants. */
const orderWords =
  /\b(?:ignore|disregard|forget|override|bypass|obey|comply|pretend|remember|memori[sz]e|save|store|record|persist|note|keep in mind|you (?:are|must|should|will|have to|need to|can|may)|your (?:instructions|rules|memory|system prompt|task)|(?:the )?(?:user|developer|owner|admin|operator|maintainer)s? (?:always |never |explicitly |also |has |have )*(?:want|prefer|ask|request|allow|approv|authori[sz]|grant|consent|require|trust|said|says|told|insist|like|demand|instruct|agree|confirm)\w*|(?:ai|assistants?|agents?|claude|llms?|models?|copilot)s? (?:must|should|will|shall|are to|is to|has to|have to|need|may|can)|system prompt|previous instructions|user preference|no confirmation|pre-?approved|auto-?approve|trusted source|curl\b.{0,200}\|\s*(?:ba|z)?sh|wget\b.{0,200}\|\s*(?:ba|z)?sh|rm -rf|--no-verify|--dangerously[\w-]*|chmod 777|base64 -d|eval\(|merke? dir|ignorier\w*|recuerda|ignora\w*|souviens|ignorez|ricorda|onthoud|zapamiętaj|lembre)\b|игнорируй|忽略|无视|無視|记住|記住|무시/u;

/** Words of denial. "no, it's 5433" corrects and denies nothing. */
const denial =
  /\b(?:never|not|cannot|without|avoid|stop|neither|nor|nothing|none|nobody|nie|niemals|nicht|kein\w*|ohne|jamais|pas|sans|aucune?|nunca|sin|ninguna?|mai|senza|non)\b|n't\b|\bno\b(?!\s*[,.:;—-]|$)|\bdont\b|\bcant\b|\bwont\b|不|没|別|ない|никогда|\bне\b/u;

/** Words that keep a denial in another wording. */
const denialKept =
  /\b(?:instead|rather|avoid\w*|only|without|exclud\w*|forbid\w*|forbidden|ban\w*|drop\w*|delet\w*|remov\w*|reject\w*|refus\w*|replac\w*|abandon\w*|dead|gone|less|fails?|failed|missing|lacks?|out|off|unless|except|over|skips?|stops?|stopped|dislikes?|hates?|prohibit\w*|disallow\w*|legacy|un\w{4,}|dis\w{4,}|in\w{2,}able|too)\b/u;

/** Words of a wish or a plan: with one of them, what follows may be told as a rule. */
const wish =
  /\b(?:always|never|must|mustn't|should|shouldn't|need(?:s|ed)?|ha(?:s|ve) to|want(?:s|ed)?|prefer\w*|like|please|pls|use|no|not|dont|don't|do not|every|each|all|any|only|ever|from now on|going forward|in future|keep|make sure|stop|avoid|requires?|rule|allowed|forbidden|remember|forget|let's|lets)\b|n't\b|immer|nie|siempre|nunca|toujours|jamais|всегда|никогда|总是|必须|いつも|항상/u;

const folded = (text: string): string => foldLookAlikes(foldText(text)).replace(/\s+/gu, " ");

/** A standing rule, or an order to whoever reads it. */
export const isRule = (text: string): boolean => {
  const plain = folded(text);
  return ruleWords.test(plain) || orderWords.test(plain);
};

/**
 * True when a line is no firmer than the message it comes from, and neither loses the denial of its clause nor adds
 * one. `message` is all that the user typed in that turn.
 */
export function agreesInForce(
  line: string,
  said: { readonly clause: string; readonly message: string },
): boolean {
  const plain = folded(line);
  const message = folded(said.message);
  const denies = denial.test(plain);
  if (ruleWords.test(plain) && !wish.test(message)) return false;
  if (orderWords.test(plain) && !orderWords.test(message) && !wish.test(message)) return false;
  if (denies && !denial.test(message) && !denialKept.test(message)) return false;
  return denies || denialKept.test(plain) || !denial.test(folded(said.clause));
}
