/**
 * Does a typed text lay down something for later, or correct the agent? A model that says "rule" is believed only then.
 * Generous: the model has read the sentence, this list only stops rules made of orders. Pure.
 */
import { foldText } from "./hard-words.ts";

/** Said as standing: adverbs, duties, habits and wishes. */
const standing =
  /(?<!\p{L})(?:always|never|ever again|from now on|from here on|going forward|in (?:the )?future|henceforth|every time|each time|whenever|by default|as a rule|in general|generally|usually|rule|convention|policy|prefer\w*|i (?:like|love|hate|want|need|expect)|we (?:use|only|always|never|don't|do not)|must|mustn't|should(?:n't)?|do not|don't|dont|stop|no more|not ever|avoid|remember|keep (?:in mind|it|all|the|your|answers)|stick to|(?:we|i) stick|not|no \p{L}+|max(?:imum)?|at most|at least|when(?:ever)? (?:i|we|the|you|a|an|something)|in (?:this|the|our|every|all) (?:repo|repository|project|codebase|team)s?|(?:commit messages?|branches|names|tests|comments) (?:are|in)|only|unless|anymore|without asking|before (?:you )?(?:commit|push|merg|releas|deploy)\w*|immer|nie|niemals|nie wieder|stets|ab jetzt|ab sofort|in zukunft|künftig|grundsätzlich|jedes ?mal|bitte (?:kein|nicht|nur|immer)\w*|nicht mehr|kein\w*|nur noch|regel|merk|denk dran|lieber|bevorzug\w*|toujours|jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|chaque fois|par défaut|préfère|ne .{1,30} (?:pas|plus)|plus de|règle|siempre|nunca|jamás|a partir de ahora|de ahora en adelante|cada vez|por defecto|prefiero|no (?:uses|hagas|quiero|vuelvas)|regla|sempre|a partir de agora|daqui em diante|toda vez|por padrão|prefiro|não (?:use|faça|quero)|regra)(?!\p{L})|всегда|никогда|впредь|отныне|теперь|с этого момента|каждый раз|по умолчанию|больше не|не надо|нельзя|не (?:пиши|делай|используй)|предпочита|правило|запомни|总是|一直|永远|以后|从现在|今后|每次|默认|不要|别|必须|一律|都要|记住|规则|常に|いつも|今後|これから|必ず|毎回|二度と|しないで|やめて|絶対|ルール|항상|절대|앞으로|하지 ?마/iu;

/** Takes the agent back: the beginning of a sentence, or a reproach. */
const correcting =
  /(?:^|[.!?\n]\s*)(?:no|nope|nein|non|não|нет|不|不对|いいえ|違)(?=[\s,.!:;—-]|$)|(?<!\p{L})(?:again|i (?:already )?(?:said|told)|as i said|i asked|why did you|you (?:forgot|keep|still|always|should have)|not what|instead|wrong|nochmal|schon wieder|hab ich (?:doch )?gesagt|stattdessen|falsch|encore|je t'ai dit|j'ai dit|au lieu|otra vez|ya te dije|en vez de|mal|de novo|já falei|em vez)(?!\p{L})|опять|снова|я же|я говорил|вместо|неправильно|又|我说过|而不是|错了|また|言った|ではなく|間違/iu;

export const isStandingOrCorrection = (typed: string): boolean => {
  const plain = foldText(typed);
  return standing.test(plain) || correcting.test(plain);
};
