/**
 * Words by which people say, in eight languages, that something is meant beyond the moment. They only name a sentence
 * as a candidate; whether it is one was learnt (models/learnt/lasting.json). Pure data.
 */

import { anywhere, askedToKeep, standing as words } from "./keep-words.ts";

/** What a cue says: asked to be kept, a standing rule or preference, a decision. */
export type SignalKind = "remember" | "rule" | "decision";

interface Cue {
  readonly kind: SignalKind;
  readonly pattern: RegExp;
}

/** The strongest first. */
const cues: readonly Cue[] = [
  { kind: "remember", pattern: askedToKeep.spaced },
  { kind: "remember", pattern: askedToKeep.unspaced },
  {
    kind: "rule",
    pattern: words(`
      always|never|from now on|from here on|going forward|in (?:the )?future|every time|each time|whenever|next time|as a rule|by default|ever again|any ?more|at all times|under no circumstances|no exceptions|without exception
      (?:i|we)(?:'d| would)? (?:much |really |strongly |generally |usually )?prefer|(?:i|we) (?:really |generally |usually )?(?:like|hate|dislike)|my preference|(?:we|i) (?:don'?t|do not|never|only|always|usually) (?:want|use|do|allow|write|commit|merge|mock|ship|deploy|touch|put|add)|stop (?:\\p{L}+ing)|no more|house rule|our rule|the rule is|in this (?:repo|project|codebase|house|company)|around here|policy
      immer|nie(?:mals|wieder)?|ab (?:jetzt|sofort|heute)|künftig|in zukunft|jedes ?mal|grundsätzlich|generell|nächstes mal|von nun an|standardmäßig|bevorzug\\p{L}*|lieber|bitte kein\\p{L}*|nicht mehr|hier bei uns|bei uns
      toujours|jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|chaque fois|à chaque fois|la prochaine fois|par défaut|en règle générale|je préfère|j'aime (?:mieux|pas)|plus jamais|arrête de|chez nous|systématiquement
      siempre|nunca|jamás|a partir de ahora|de ahora en adelante|en adelante|cada vez|la próxima vez|por defecto|por norma|prefiero|no me gusta|deja de|en este (?:repo|proyecto)|ya no|por regla
      sempre|nunca|jamais|a partir de agora|daqui (?:pra|para) (?:a )?frente|de agora em diante|toda vez|cada vez|da próxima vez|da proxima vez|por padrão|por padrao|prefiro|não gosto|nao gosto|para de|aqui a gente|no nosso time|não quero mais|nao quero mais
      всегда|никогда|отныне|впредь|с этого момента|с сегодняшнего дня|теперь|каждый раз|в следующий раз|по умолчанию|предпочитаю|не люблю|больше не|у нас|как правило|ни в коем случае|на будущее
    `),
  },
  {
    kind: "rule",
    pattern: anywhere(
      "以后|从现在|今后|每次|总是|永远|一律|绝不|绝对不|不要再|别再|默认|下次|我喜欢|我习惯|我们这|统一用|规矩\n今後|これから|必ず|いつも|毎回|絶対に|二度と|次から|次回から|デフォルト|原則|基本的に|好み|うちでは|禁止|しないで|やめて",
    ),
  },
  {
    kind: "decision",
    pattern: words(`
      (?:we|i)(?:'ve| have)? (?:decided|agreed|settled|chosen|picked)|let'?s go with|(?:we|i)(?:'ll| will|'re| are)? go(?:ing)? with|final decision|decision:|decided:|is (?:off the table|decided|final)|for good|we (?:stick|stay) with|we drop|we (?:move|switch) to
      (?:wir|ich) (?:haben (?:uns )?)?(?:entschieden|beschlossen|geeinigt)|wir (?:nehmen|bleiben bei|gehen mit|wechseln)|beschlossen|entscheidung
      (?:on|nous|j') ?(?:a|avons|ai) (?:décidé|choisi|tranché|acté)|on (?:part|reste) sur|c'est décidé|décision
      (?:hemos|he) (?:decidido|acordado|elegido)|nos quedamos con|vamos con|decidido|decisión
      (?:a gente |nós )?decidi(?:mos|u)|vamos (?:de|com|ficar com)|ficou decidido|fechado|decisão|decisao
      (?:мы )?(?:решили|договорились|выбрали)|остановились на|остаёмся на|решено|решение|берём|переходим на
    `),
  },
  {
    kind: "decision",
    pattern: anywhere(
      "决定|定了|就用|选定|确定用|改用|敲定\n決めた|決めました|決定|で行き|でいき|採用|に統一|に決",
    ),
  },
];

/** The kind that a sentence's words point at; null when none does. Questions point at nothing. */
export function cueOf(sentence: string): SignalKind | null {
  if (/[?？]["')\]]*\s*$/u.test(sentence)) return null;
  return cues.find(({ pattern }) => pattern.test(sentence))?.kind ?? null;
}

/** Words that carry a rule beyond its project. */
const everywhere =
  /(?<!\p{L})(?:everywhere|(?:in |for |across )?(?:all|any|every)(?: of)? (?:my |our )?(?:projects?|repos?|repositories)|überall|in allen (?:projekten|repos)|partout|tous (?:mes|les) (?:projets|repos)|en todos (?:mis|los) (?:proyectos|repos)|em todos os (?:projetos|repos)|везде|во всех (?:проектах|репо\p{L}*))(?!\p{L})|所有项目|すべてのプロジェクト|全プロジェクト/iu;

export const isEverywhere = (sentence: string): boolean => everywhere.test(sentence);
