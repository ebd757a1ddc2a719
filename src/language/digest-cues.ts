/**
 * The phrases by which a digest knows what was done, what is open and what need not be told, in the languages that
 * people work in. One row a language; every alternative is anchored or bounded, so that testing stays linear.
 */

/** Alternatives of a language with spaces between its words, and of one without. */
const cue = (spaced: readonly string[], unspaced: readonly string[] = []): RegExp =>
  new RegExp(
    [`(?<![\\p{L}\\p{N}])(?:${spaced.join("|")})(?![\\p{L}\\p{N}])`, ...unspaced].join("|"),
    "iu",
  );

/** The agent says that something was done or found, or holds now. */
const done = cue(
  [
    "added|fixed|changed|implemented|created|updated|removed|deleted|moved|renamed|replaced|merged|pushed|committed|rebased|deployed|released|resolved|refactored|migrated|wrote|rewrote|rewritten|built|installed|configured|enabled|disabled|reverted|restored|cleaned up|extracted|converted|switched|bumped|upgraded|wired|corrected|confirmed|verified|dropped|simplified|set up|(?:tests?|checks?|suite|build|lint|everything|all) (?:\\p{L}+ ){0,2}pass(?:es|ed)?|passes|green|works|(?:is|are) (?:done|complete|ready|in place|live|gone)|(?:is|are|has|have) (?:\\p{L}+ ){0,3}now|now (?:\\p{L}{2,}s|have|are)|completed|finished|no longer|root cause|turns? out|the (?:problem|issue|cause|bug) (?:is|was)",
    "hinzugefügt|behoben|geändert|umgesetzt|erstellt|aktualisiert|entfernt|gelöscht|verschoben|umbenannt|ersetzt|gepusht|committet|ausgerollt|gelöst|eingebaut|angepasst|implementiert|umgestellt|fertig|erledigt|läuft|funktioniert|grün",
    "ajoutée?s?|corrigée?s?|modifiée?s?|implémentée?s?|créée?s?|mise?s? à jour|supprimée?s?|déplacée?s?|renommée?s?|remplacée?s?|fusionnée?s?|déployée?s?|résolue?s?|terminée?s?|fonctionne|passent|prête?s?",
    "añad(?:id[oa]s?|í)|agreg(?:ad[oa]s?|ué)|correg(?:id[oa]s?|í)|arregl(?:ad[oa]s?|é)|cambi(?:ad[oa]s?|é)|implement(?:ad[oa]s?|é)|cre(?:ad[oa]s?|é)|actualic?z?(?:ad[oa]s?|é)|elimin(?:ad[oa]s?|é)|movid[oa]s?|desplegad[oa]s?|resuelt[oa]s?|terminad[oa]s?|list[oa]s?|funciona|pasan",
    "adicion(?:ad[oa]s?|ei)|corrig(?:id[oa]s?|i)|alter(?:ad[oa]s?|ei)|implement(?:ad[oa]s?|ei)|cri(?:ad[oa]s?|ei)|atualiz(?:ad[oa]s?|ei)|remov(?:id[oa]s?|i)|movid[oa]s?|substituíd[oa]s?|implantad[oa]s?|resolvid[oa]s?|concluíd[oa]s?|pront[oa]s?|funciona|passa(?:m|ram)",
    "добав(?:ил|лен)\\p{L}*|исправ(?:ил|лен)\\p{L}*|измен(?:ил|ён|ен)\\p{L}*|реализова(?:л|н)\\p{L}*|созда(?:л|н)\\p{L}*|обнов(?:ил|лён|лен)\\p{L}*|удал(?:ил|ён|ен)\\p{L}*|перен[её]с\\p{L}*|переименова(?:л|н)\\p{L}*|замен(?:ил|ён|ен)\\p{L}*|готово|сдела(?:л|н)\\p{L}*|работает|прош(?:ёл|ли)|проходят|закоммит\\p{L}*|запуш\\p{L}*",
  ],
  [
    "已(?:经|完成|修复|添加|更新|删除|提交|改|将)?",
    "完成",
    "通过了?",
    "搞定",
    "修复了",
    "しました",
    "完了",
    "済み",
    "通りました",
  ],
);

/** What is only announced. */
const promise = cue(
  [
    "(?:must|should|shall|would|could|can|may|might|cannot)(?: not| now| then)? be|let me|i'?ll|i will|i'?m going to|i am going to|i would|i'?d|we should|should i|shall i|let'?s|i need to|i can|i could|going to|would need to",
    "lass mich|ich werde|ich würde|ich kann|ich schaue|ich prüfe|wir sollten",
    "je vais|laisse-moi|laissez-moi|je peux|on devrait",
    "voy a|déjame|puedo|deberíamos",
    "vou|deixe-me|deixa eu|posso|deveríamos",
    "сейчас|я буду|сделаю|давай(?:те)?|попробую|посмотрю|проверю|могу",
  ],
  [
    "我来",
    "让我",
    "接下来",
    "我会",
    "我将",
    "可以帮",
    "ましょう",
    "これから",
    "してみます",
    "確認します",
  ],
);

/** What is left, fails or waits. */
const open = cue(
  [
    "still (?:fail(?:s|ing)?|broken|missing|open|needs?|pending|red|not|to do|have to|has to|untested|skipped|unclear)|(?:is|are) still|(?:not|\\p{L}+n't) (?:\\p{L}+ ){0,3}yet|todo|to do|remaining|remains?|left to|next(?: steps?| up)?(?=[:,]| is| i | would| we )|next,? i|follow-?ups?|unfinished|not (?:been )?(?:done|finished|fixed|tested|verified|implemented|committed|pushed|deployed)|pending|blocked|waiting (?:for|on)|tomorrow|tests? (?:still )?fails?|fails|failing|untested|unresolved",
    "noch nicht|noch offen|(?:ist|sind|bleibt|bleiben) (?:noch )?offen|fehlt|fehlen|steht noch aus|nächster schritt|als nächstes|morgen|schlägt (?:noch )?fehl|schlagen (?:noch )?fehl|wartet auf",
    "pas encore|reste à|il reste|toujours pas|à faire|prochaine étape|demain|échoue(?:nt)?|en attente",
    "todavía no|aún no|faltan?|quedan?|pendientes?|por hacer|próximo paso|mañana|sigue(?:n)? (?:fallando|sin)|fallan?",
    "ainda não|faltam?|pendentes?|por fazer|a fazer|próximo passo|amanhã|continuam? (?:falhando|a falhar)|falham?",
    "ещ[её] не|пока не|осталось|оста[её]тся|нужно (?:ещ[её]|будет)|следующий шаг|завтра|не работает|пада(?:ет|ют)|жд[её]т|ожидает",
  ],
  [
    "还没",
    "尚未",
    "还需",
    "还剩",
    "待办",
    "未完成",
    "下一步",
    "明天",
    "仍然",
    "まだ",
    "未完了",
    "残って",
    "残り",
    "次のステップ",
    "明日",
    "失敗して",
  ],
);

/** "No failing tests remain": names what is open, and says that it is not. */
const nothingOpen = cue(
  [
    "(?:no|nothing|none|0|zero|without(?: any)?|no longer|not) (?:\\p{L}+ ){0,2}(?:remaining|remains?|fail(?:s|ing|ures?)?|pending|left|open|todos?|blocked)",
    "nichts (?:mehr )?offen|keine fehler|rien (?:ne )?reste|nada pendiente|nada pendente|ничего не осталось",
  ],
  ["没有.{0,6}失败", "残りはありません"],
);

/** Politeness at the end of an answer. */
const offer = cue(
  [
    "let me know|want me to|would you like(?: me)?|do you want me|anything else|feel free|happy to|if you(?:'d)? (?:like|want|prefer)|ready (?:for|when)|what(?:'s| is) next|what would you like",
    "sag(?:en sie)? (?:mir )?bescheid|möchtest du|möchten sie|wenn du (?:willst|möchtest)|noch etwas",
    "souhaitez-vous|veux-tu que|voulez-vous que|dis-moi|dites-moi|n'hésite[sz]?",
    "quieres que|quiere que|avísame|si quieres|algo más",
    "quer que|me avise|se quiser|mais alguma coisa",
    "хотите|хочешь|дай(?:те)? знать|если нужно|что-нибудь ещ[её]",
  ],
  ["需要我", "要我", "如果需要", "还有什么", "しましょうか", "必要であれば", "お知らせください"],
);

/** The user takes what was done. */
const accepted = cue(
  [
    "lgtm|looks? (?:good|great|fine)|perfect|great|awesome|excellent|works(?: now)?|thanks?|thank you|thx|nice|merge it|ship it|approved|exactly|well done|good job|cool",
    "perfekt|danke|super|passt|sieht gut aus|klasse|prima",
    "parfait|merci|ça marche|c'est bon|nickel|génial",
    "perfecto|gracias|genial|funciona|muy bien",
    "perfeito|obrigad[oa]|ótimo|valeu|beleza",
    "спасибо|отлично|хорошо|работает|идеально|круто",
  ],
  ["谢谢", "很好", "完美", "可以了", "不错", "ありがとう", "完璧", "いいね"],
);

/** The user turns down what was done; asked of the beginning of what they say. */
const rejected = new RegExp(
  [
    "^(?:no|nope|don'?t|do not|stop|revert|undo|wrong|not (?:like )?that|that'?s (?:not|wrong)|it (?:still )?(?:doesn'?t|does not) work|still (?:fails|broken|not))(?![\\p{L}\\p{N}])",
    "^(?:nein|falsch|nicht so|geht nicht|non|pas comme|ça ne marche pas|no funciona|está mal|não|errado|нет|не так|не работает|не надо|неправильно|откати)(?![\\p{L}\\p{N}])",
    "^(?:不对|不行|不要|错了|だめ|違う|違います|いや)",
  ].join("|"),
  "iu",
);

/** Words before the matter: greetings, consent, politeness, "can you". */
const leadIn =
  /^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon)|hallo|moin|guten (?:morgen|tag|abend)|bonjour|salut|hola|buen[oa]s (?:días|tardes)|olá|oi|bom dia|привет|здравствуй(?:те)?|добр(?:ое утро|ый день)|yes|yeah|yep|ok|okay|sure|right|great|perfect|thanks|thank you|nice|cool|good|ja|gut|danke|oui|merci|d'accord|sí|vale|gracias|sim|obrigad[oa]|да|хорошо|спасибо|отлично|ладно)(?=[\s,.!:;–—-]|$)|(?:please|pls|plz|now|so|then|also|next|first|again|and|but|well|(?:can|could|would|will) (?:you|we)(?: please| also| now)?|i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to|let'?s|lets|we (?:need|have|want) to|we should|you (?:need|have) to|you should|go ahead and|bitte|jetzt|kannst du|könntest du|können sie|ich möchte,? dass du|peux-tu|pouvez-vous|s'il (?:te|vous) plaît|je veux que tu|por favor|puedes|podrías|quiero que|você pode|pode|quero que|пожалуйста|можешь|можете|теперь|надо|нужно)(?=[\s,:]|$)|(?:你好|早上好|好的|谢谢|请你?|帮我|麻烦|现在|こんにちは|おはよう(?:ございます)?|はい|では))[\s,.!:;–—，。！、-]*/iu;

/** A rule for all work is no title of one piece of it. */
const standing =
  /^(?:(?:from (?:now|here) on|always|never|remember|don'?t forget|ab (?:jetzt|sofort)|immer|nie(?:mals)?|merk dir|désormais|toujours|jamais|a partir de (?:ahora|agora)|siempre|nunca|recuerda|sempre|lembre|отныне|всегда|никогда|запомни)(?![\p{L}\p{N}])|从现在|总是|永远|记住|今後|常に|覚えて)/iu;

/** All that a message says when it only lets the agent go on. */
const pickUp =
  /^(?:continue|go on|go ahead|proceed|carry on|keep going|resume|next|yes|y|yep|ok|okay|sure|do it|do that|done|retry|try again|again|weiter|mach weiter|ja|los|continuez?|oui|vas-y|sigue|continúa|adelante|sí|dale|continua|continue|sim|да|продолжай(?:те)?|дальше|давай|继续|好的?|是的?|続けて(?:ください)?|はい|お願いします)[\s.!。！]*$/iu;

/** Verbs that order work. */
const task =
  /^(?:(?:re)?(?:run|build|start|test|write|try|generate|load|name|open|check|install|base|format|order|create|do|think|make|factor|visit|read|use that|use this|use it|use (?:a|an|the|your|some) (?:sub-?agents?|tools?|skills?|mcp|browser|terminal|web search))|add|show|fix|look|find|search|grep|list|commit|push|pull|merge|delete|remove|implement|refactor|update|upgrade|explain|summari[sz]e|describe|tell|give|go|continue|retry|revert|undo|roll|lint|print|log|debug|investigate|clean|document|review|port|convert|migrate|replace|extract|split|inline|copy|tidy|help|draft|wire|hook|cover|see|apply|take|get|fetch|download|clone|deploy|ship|release|publish|bring|compare|verify|ensure|confirm|measure|profile|benchmark|finish|complete|proceed|send|post|close|mark|turn|translate|sort|rewrite|figure|have a look|double.?check|dig|trace|reproduce|simplify|optimi[sz]e|improve|handle|support|expose|introduce|inspect|ask|answer|stop|kill|wait|skip|ignore that|ignore this|walk me|guide|plan|prepare|save|sketch|propose|suggest|pick|edit|adjust|adapt|configure|set up|setup|enable|disable|scaffold|bootstrap|squash|cherry.?pick|rename|reformat|move|put|point|change|switch|bump|leave)\b(?!-\p{L})/iu;

export const digestCues = {
  done,
  promise,
  open,
  nothingOpen,
  offer,
  accepted,
  rejected,
  leadIn,
  standing,
  pickUp,
  task,
} as const;
