/**
 * The force of a sentence: does it lay down a rule, does it give an order, does it deny? A memory may not be firmer
 * than what was said, nor say the opposite of it; and what was not said in the conversation may not be a rule at all.
 * Word lists in several languages, since text that gives orders chooses its language. Pure.
 */
import { foldLookAlikes, foldText } from "./hard-words.ts";

/** A standing rule. */
const standing =
  /\b(?:always|never|forever|permanently|from now on|going forward|in future|henceforth|every time|whenever you|under no circumstances|without asking|without exception|immer|niemals|nie|stets|ab jetzt|ab sofort|siempre|nunca|jamás|a partir de ahora|toujours|jamais|désormais|dorénavant|sempre|mai più|d'ora in poi|altijd|nooit|vanaf nu|alltid|aldrig|zawsze|nigdy|her zaman|asla|luôn luôn|không bao giờ)\b|всегда|никогда|отныне|впредь|завжди|ніколи|总是|總是|始终|始終|永远|永遠|从现在|從現在|务必|務必|绝不|絕不|いつも|常に|今後|항상|절대|앞으로|دائما|أبدا|תמיד|לעולם|हमेशा/u;

/** A duty: a rule in a memory, ordinary talk in a summary. */
const duty =
  /\b(?:must|mustn't|mandatory|make sure|be sure to|ensure|do not|don't|dont|obligatory)\b|必须|必須|必ず|絶対|반드시|يجب/u;

/** "it never worked", "the cache always misses": tells what happens. */
const descriptive =
  /\b(?:always|never) (?:(?!wants|likes|prefers|expects|allows|insists|asks)\w{3,}(?<!s)s|\w{2,}ed|was|were|had|did|been|ran|came|got|saw|went|took|made|held|found|kept)\b/gu;

/** An order at the start of a sentence or after "please", "must", "to": to the reader, or to their memory. */
const imperative =
  /(?:^|[.!?:;,>"'([-]\s*|\b(?:please|must|always|and|to|should|pls|now)\s+)(?:ignore|disregard|forget|override|bypass|obey|comply|pretend|remember|memori[sz]e|save|store|record|persist|note|add|write)\b(?=:|\s+(?:this|that|all|any|the following|it|these|previous|prior|as|every|to (?:your|the|my|long|permanent)|your|my|down|in(?:to)? (?:your|the) memor))/u;

/** A leave or a liking that its user is said to have. */
const claim =
  /\b(?:user|developer|owner|admin|administrator|operator|maintainer)s? (?:always |never |explicitly |also |already |has |have |had )*(?:prefer|allow|approv|authori[sz]|grant|consent|trust|insist|agree)\w*/u;
/** What its user is said to have asked for: in a memory a wish that lasts, in a summary what a turn was about. */
const demand =
  /\b(?:user|developer|owner|admin|administrator|operator|maintainer)s? (?:always |never |explicitly |also |already |has |have |had )*(?:want|ask|request|require|demand|instruct|wish|expect|like)\w*/u;

/**
 * Verbs of work at the start of a sentence: nothing else tells an order from a heading. Those of the harm that an agent
 * can do, and of what developers ask for.
 */
const opening =
  /(?:^|[.;:!?]\s+|,\s*(?:and|then)\s+)(?:(?:please|just|simply|pls|then|first|and|also|only|instead|kindly)\s+)*(?:accept|add|allow|append|apply|approve|avoid|bypass|clone|commit|configure|connect|copy|create|delete|deploy|disable|download|drop|edit|enable|erase|execute|export|fetch|forward|give|grant|install|keep|leave|let|mail|merge|mirror|move|open|overwrite|paste|point|post|print|publish|pull|push|put|read|redirect|remove|replace|reply|route|run|send|set|share|ship|skip|stop|store|submit|switch|take|tell|treat|trust|turn|unset|update|upload|use|wipe|write)\b/u;

/** Speaks to the reader, or of what a model may do. */
const address =
  /\b(?:you (?:are now|must|should|shall|will now|have to|are to|are allowed|may now)|your (?:instructions|rules|memory|memories|system prompt|new task)|(?:ai|(?:ai |coding )?assistants?|(?:ai |coding )?agents?|claude|llms?|language models?|copilots?) (?:must|should|will|shall|are to|is to|has to|have to|need to|may)|system prompt|(?:previous|prior|earlier|above) (?:instructions|rules|memories)|user preference|permanent (?:memory|preference|rule)|no confirmation|without confirmation|pre-?approved|auto-?approved?|merke? dir|ignorier\w*|recuerda que|ignora (?:las|todas)|souviens-toi|ignorez|ricorda(?:ti)? (?:di|che)|onthoud|zapamiętaj|lembre-se)\b|запомни|игнорируй|忽略|无视|無視|记住|記住|请记|覚えて|무시|기억해|تذكر/u;

/** Commands that no memory should carry unless the user typed them. */
const dangerous =
  /\b(?:curl|wget|iwr)\b.{0,200}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|\brm -rf\b|--no-verify\b|--dangerously|\bchmod 777\b|\bbase64 (?:-d|--decode)\b|\bcurl (?:-\w+ )*https?:/u;

/** Words of denial. "no, it's 5433" corrects and denies nothing; `doesnt` denies as `doesn't` does. */
const denial =
  /(?<!\p{L})(?:never|not|cannot|avoid|stop|neither|nor|nothing|none|nobody|nowhere|(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)n'?t|nie|niemals|nicht|nichts|niemand|kein\w*|ne|jamais|pas|rien|aucune?|nunca|jamás|nada|nadie|ninguna?|não|nem|mai|non|не|ни|нет|нельзя|никогда|никому?|ничего)(?!\p{L})|(?<!\p{L})no(?!\p{L})(?!\s*[,.:;—-]|$)|[不没沒别別勿]|禁止|ない|ません/u;

/** Words that keep a denial in another wording. */
const denialKept =
  /\b(?:instead|rather|avoid\w*|only|requir\w*|exclud\w*|forbid\w*|forbidden|ban\w*|drop\w*|delet\w*|remov\w*|reject\w*|refus\w*|replac\w*|abandon\w*|dead|gone|less|fails?|failed|missing|lacks?|out|off|unless|except|over|skips?|stops?|stopped|dislikes?|hates?|prohibit\w*|disallow\w*|legacy|un\w{4,}|dis\w{4,}|in\w{2,}able|too)\b/u;

/** A wish or a plan: with one of these, what was said may be told as a rule. */
const wish =
  /\b(?:always|never|must|mustn't|should|shouldn't|needs? to|ha(?:s|ve) to|want(?:s|ed)?|prefer\w*|like|please|pls|use|no|not|dont|don't|do not|every|each|all|any|only|ever|from now on|going forward|in future|keep|make sure|stop|avoid|requires?|rule|allowed|forbidden|remember|forget|let's|lets)\b|n't\b|immer|nie|siempre|nunca|toujours|jamais|всегда|никогда|总是|必须|いつも|항상/u;

const folded = (text: string): string => foldLookAlikes(foldText(text)).replace(/\s+/gu, " ");

const isAddress = (plain: string): boolean =>
  imperative.test(plain) || address.test(plain) || dangerous.test(plain);

/** Gives an order, or makes a rule that is to last. For running text, where a "must" is only a plan. */
export const isOrder = (text: string): boolean => {
  const plain = folded(text);
  return standing.test(plain.replace(descriptive, " ")) || isAddress(plain) || claim.test(plain);
};

/** Holds a command that can do harm. */
export const isDangerous = (text: string): boolean => dangerous.test(folded(text));

/** A rule, a duty, a wish or an order. For memories, which outlive their occasion. */
export const isRule = (text: string): boolean => {
  const plain = folded(text);
  return isOrder(text) || duty.test(plain) || demand.test(plain);
};

/** A rule or an order, also one that only begins with its verb. For what was said elsewhere and is told here. */
export const isCommand = (text: string): boolean => isRule(text) || opening.test(folded(text));

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
  return isNoFirmer(plain, message) && deniesAlike(line, said);
}

/** True when a line lays down no more than its message does: no rule, order or dangerous command of its own. */
export const isNoFirmerThan = (line: string, message: string): boolean =>
  isNoFirmer(folded(line), folded(message));

/** True when what was said denies something and the line does not. */
export const losesDenial = (line: string, clause: string): boolean =>
  denial.test(folded(clause)) && !denial.test(folded(line)) && !denialKept.test(folded(line));

function isNoFirmer(plain: string, message: string): boolean {
  if (dangerous.test(plain) && !dangerous.test(message)) return false;
  const isFirm = (text: string): boolean =>
    standing.test(text) || duty.test(text) || isAddress(text);
  return !isFirm(plain) || wish.test(message) || denial.test(message) || isFirm(message);
}

/** False when a line says the opposite of its evidence: a denial of the clause is lost, or one is added. */
function deniesAlike(
  line: string,
  said: { readonly clause: string; readonly message: string },
): boolean {
  const plain = folded(line);
  const message = folded(said.message);
  if (denial.test(plain)) return denial.test(message) || denialKept.test(message);
  return denialKept.test(plain) || !denial.test(folded(said.clause));
}
