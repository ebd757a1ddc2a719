/**
 * "Do not remember this": does a typed text forbid, in one of eight languages, that something of it be kept? Speaks of
 * the memory of the assistant: "I don't remember this" and "don't store this in redux" do not. Pure.
 */
import { hardSplit } from "./sentences.ts";

/** Things pointed at: what is said here, now. */
const english =
  String.raw`(?:(?:any|none|some|all|part|nothing|a word|anything) of )?(?:this|that|it|these|those|` +
  String.raw`what(?:ever)? (?:i|we|follows|comes)|anything(?: i| from| about| in)?|everything(?: i)?|` +
  String.raw`the following|my (?:last )?(?:message|prompt|question|words|answer)|the (?:next|last|above|` +
  String.raw`previous) (?:part|message|prompt|sentence|line|thing)|a (?:thing|word))(?: (?:one|conversation|` +
  String.raw`session|chat|message|prompt|turn|part|exchange|talk|info|information|detail|thing|bit|sentence|` +
  String.raw`note|number|name|fact|here|i (?:say|said|tell|told|type)|now|you))*`;
const englishVerb =
  "(?:remember|memori[sz]e|keep (?:(?:this|that|it|any of this) )?in (?:mind|memory)" +
  "|make (?:a )?(?:note|memory|memories)|take (?:a )?notes?|retain|learn)";
/** Verbs of files and code as well: only with the memory named, or with nothing but the thing pointed at. */
const englishStore =
  "(?:store|save|record|keep|note(?: down)?|write down|log|persist|add|commit|put)";
const inMemory =
  String.raw`(?:(?:in|into|to|as) (?:your |the |a |any |long-term |project |persistent )*(?:memory|memories|` +
  String.raw`notes?)|anywhere|for (?:later|next time|the future)|across sessions|on (?:the )?record|` +
  String.raw`in (?:this )?(?:session'?s? )?history)`;
const not =
  String.raw`(?:(?:please |kindly |also |but |and |so |just |ok,? |hey,? |claude,? |pls |then |` +
  String.raw`now )*(?:do not|don'?t|dont|never|must not|need not|no need to|don'?t (?:you )?(?:ever|` +
  String.raw`bother to|have to|need to)|let'?s not|let us not|stop|avoid|refrain from|there(?:'s|` +
  String.raw` is) no need to|better not)(?: (?:ever|please|bother to|even|need to|have to|also))?|` +
  String.raw`(?:please )?you (?:should not|shouldn'?t|must not|mustn'?t|need not|needn'?t|don'?t (?:have|` +
  String.raw`need) to|do not (?:have|need) to|are not to|may not|can'?t|cannot|shall not)|i (?:do not|don'?t|` +
  String.raw`would not|wouldn'?t) want (?:you|this|that|it) to(?: be)?|i(?:'d| would) (?:rather|` +
  String.raw`prefer) you (?:did not|didn'?t|not|don'?t)|i(?:'d| would) prefer (?:that )?you not|without)`;
const spaced: readonly RegExp[] = [
  new RegExp(
    `^${not} (?:\\p{L}+ (?:or|and) )?${englishVerb}(?:ing|d|r)?(?: (?:to memory|of))?` +
      `(?:,? ${english}|:| that\\b|[.!]*$)`,
    "iu",
  ),
  new RegExp(
    `^${not} ${englishStore}(?:d|ed|ing)? (?:${english}|[^.,;:]{1,40}?) ${inMemory}`,
    "iu",
  ),
  new RegExp(`^${not} ${englishStore}(?:ing)? ${english}(?: please| down)?\\s*(?:[:.!]|$)`, "iu"),
  new RegExp(
    String.raw`^(?:please |but |and |ok,? )*(?:(?:keep|stay|all|everything|this|that|it|what follows|` +
      String.raw`the following)[^.:]{0,30} )?(?:is |stays? |strictly )?(?:entirely |all )?off[- ]the[- ]record\b`,
    "iu",
  ),
  new RegExp(
    String.raw`\b(?:remember|memorise|memorize|record|store|save|keep|note) (?:nothing|none|not a word) (?:of|` +
      String.raw`about|from) (?:this|that|it|what)`,
    "iu",
  ),
  new RegExp(
    String.raw`\b(?:this|that|it|nothing (?:here|of this|i say|in this)|none of this|the following|` +
      String.raw`what follows)(?: \p{L}+){0,2} (?:(?:should|must|is|shall|may|need|does|do|are|will)(?: not|n'?t|` +
      String.raw`to)? ?(?:to |need to )?(?:not |never )?be|not to be) (?:remembered|memori[sz]ed|kept in (?:mind|` +
      String.raw`memory)|stored (?:anywhere|in (?:your )?memory)|saved (?:to|in) (?:your )?memory)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:this|that|it|the following|what follows)(?: \p{L}+){0,2} (?:is |are )?(?:not|` +
      String.raw`nothing) (?:for|to go in(?:to)?) (?:the record|(?:your |the )?(?:memory|memories|notes))`,
    "iu",
  ),
  new RegExp(
    String.raw`\b(?:no|without) (?:memory|memories|notes?|record) (?:of|from|about) (?:this|that|it|` +
      String.raw`the following|what follows)\b`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:please |and |but |you (?:can|may|should) )*(?:forget|erase) (?:this|that|it|` +
      String.raw`what i (?:just )?(?:said|typed|wrote)|` +
      String.raw`everything i (?:just )?said)(?: (?:right (?:away|after(?=\s*(?:[.,;:!]|$)))|immediately|afterwards|` +
      String.raw`after(?:wards)? (?:please|` +
      String.raw`this)|again|at once|when (?:you are|you're) done|message|conversation))+`,
    "iu",
  ),
  new RegExp(
    `^i (?:do not|don'?t) want ${english} (?:remembered|memori[sz]ed|saved|stored|kept|recorded)` +
      String.raw`(?: (?:anywhere|here|in (?:your |the )?memory))?\s*(?:[.,;:!]|$)`,
    "iu",
  ),
  // Forbids the text that follows; behind "say" it is read as quoted, in letters `q`.
  new RegExp(
    String.raw`^(?:(?:${not}) (?:${englishVerb}|${englishStore})(?:ing)?(?: down)?|(?:please )?(?:forget|disregard))` +
      String.raw` (?:what(?:ever)?|anything|everything) i(?:'m| am|'ll| will)? ?(?:about to |going to |gonna )?` +
      String.raw`(?:say|tell|type|write|mention|share)(?: to)?(?: you)?(?: next| now| here| below)?\s*(?:[:,.;!q]|$)`,
    "iu",
  ),
  // "Keep this out of your memory", in the languages that say it so.
  new RegExp(
    String.raw`^(?:please |and |but )*(?:keep|leave|hold) (?:${english}|[^.,;:]{1,40}?) out of (?:your |the ` +
      String.raw`|any |all )*` +
      String.raw`(?:memory|memories|notes?|record)|^(?:bitte )?(?:lass|halte?|lassen sie)(?: \p{L}+){1,4} ` +
      String.raw`aus (?:dem|deinem|ihrem) ` +
      String.raw`gedächtnis|^(?:garde|gardez|laisse|laissez)(?:[ -]\p{L}+){1,4} hors de (?:ta|votre|la) mémoire|` +
      String.raw`(?:deja|dejes?|deje|mantén|mantenga)(?: \p{L}+){1,4} fuera de (?:tu|la|su) memoria|` +
      String.raw`que (?:esto|eso|est[ea] \p{L}+) no (?:quede|entre|acabe) en (?:tu|la|su) memoria|` +
      String.raw`(?:deix[ae]|mantenha|mantém)(?: \p{L}+){1,4} fora da (?:sua )?memória|(?:оставь|держи)` +
      String.raw`(?:те)?(?: \p{L}+){1,3} ` +
      String.raw`вне (?:твоей |своей )?памяти`,
    "iu",
  ),
  // German.
  new RegExp(
    String.raw`(?:(?:merk(?:e|t)?|präg(?:e)?|notier(?:e)?|schreib(?:e)?|speicher(?:e)?|behalt(?:e)?|behalten|` +
      String.raw`halt(?:e)?|sicher(?:e)?)(?: (?:dir|sie|sich|bitte|mir|euch))* (?:das|dies|dieses?|es|folgendes|` +
      String.raw`davon|hiervon|nichts davon|nichts|was ich \p{L}+|diese \p{L}+|den folgenden \p{L}+)(?: (?:bitte|` +
      String.raw`hier|jetzt|alles|auf keinen fall))*(?: (?:nicht|niemals|nie|nirgends|nirgendwo|auf keinen fall|` +
      String.raw`bitte nicht))(?! (?:in|im|auf|als|ab[ ,]) (?:redux|der|die|das))|(?:merk(?:e)?|notier(?:e)?|` +
      String.raw`behalt(?:e)?|speicher(?:e)?) (?:dir )?(?:hiervon|davon|hier|von dem)?\s?nichts)`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:(?:du )?(?:brauchst|musst|sollst|solltest|darfst|sollen|müssen|brauchen) (?:du |sie |dir |` +
      String.raw`sich |es |das |dies |davon |hiervon |bitte )*(?:nicht|nie|niemals|nichts)(?: (?:davon|hiervon|` +
      String.raw`zu|im gedächtnis|im kopf))* ?(?:zu )?(?:merken|behalten|speichern|notieren|festhalten|` +
      String.raw`einprägen))`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:das|dies|folgendes|es|davon|hiervon|nichts davon|nichts hiervon|das folgende|` +
      String.raw`diese \p{L}+)(?: (?:bitte|hier|jetzt|alles|auf keinen fall|soll(?:te)?|darf|muss))* (?:nicht|` +
      String.raw`niemals|nichts|nirgends|nirgendwo)(?: (?:bitte|im gedächtnis|irgendwo|dauerhaft))* ?(?:merken|` +
      String.raw`behalten|speichern|notieren|festhalten|gespeichert werden|gemerkt werden|aufschreiben|` +
      String.raw`ins gedächtnis)`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:nichts|kein wort) (?:davon|hiervon|von (?:dem|diesem|` +
      String.raw`dieser)(?: \p{L}+)?)(?: bitte)? (?:merken|behalten|speichern|notieren|festhalten)|ich (?:will|` +
      String.raw`möchte) nicht,? dass du (?:dir )?(?:das|dies|es|etwas davon) (?:merkst|behältst|speicherst|` +
      String.raw`notierst)|lass uns das nicht merken|unter uns gesagt und nicht fürs protokoll|` +
      String.raw`nicht fürs protokoll|bleibt unter uns`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:das |dies |folgendes )?(?:bitte )?(?:nicht|nichts davon|nie) (?:(?:merken|einprägen|` +
      String.raw`mitschreiben|protokollieren)(?: bitte)?\s*(?:[:.!]|$)|(?:abspeichern|notieren|behalten|` +
      String.raw`aufschreiben|festhalten)(?: bitte)?\s*:)|^vergiss (?:das|dies|es) (?:gleich|sofort|danach|` +
      String.raw`nachher|anschließend)(?! (?:nicht|nie))|^(?:nimm|nehmen|schreib|leg|pack)` +
      String.raw`(?: \p{L}+){1,3} nicht in(?:s| dein| das|` +
      String.raw` ihr) gedächtnis`,
    "iu",
  ),
  // French.
  new RegExp(
    String.raw`(?:ne |n')(?:(?:la|le|les|l'|en|te|vous|t'en|t'|me|rien) ?)*(?:retiens|retenez|retenir|` +
      String.raw`mémorise[zr]?|mémoriser|note[zr]?|enregistre[zr]?|garde[zr]?|sauvegarde[zr]?|stocke[zr]?|` +
      String.raw`conserve[zr]?|souviens|souvenez|rappelle|rappelez)(?:[ -](?:toi|vous))?(?:[ -](?:pas|rien|` +
      String.raw`jamais|surtout pas|nulle part))(?: (?:de|du))?(?:(?: (?:ça|cela|ceci|ce qui (?:suit|précède)|` +
      String.raw`cette \p{L}+|ce (?:message|que je \p{L}+)|tout (?:ça|cela)|en mémoire|nulle part|` +
      String.raw`dans ta mémoire))|[\s]*[:.!]|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:ne |n')(?:pas|rien|jamais) (?:(?:le|la|l'|en|te|s'en) ?)*(?:retenir|mémoriser|noter|` +
      String.raw`enregistrer|garder|sauvegarder|stocker|conserver|se souvenir)(?: (?:de )?(?:ça|cela|ceci|` +
      String.raw`ce qui (?:suit|précède)|cette \p{L}+|ce message|en mémoire|nulle part|tout ça)|[\s]*[:.!]|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:tu n'as|vous n'avez|tu n'auras) pas (?:besoin )?(?:à |de |d')(?:retenir|mémoriser|noter|` +
      String.raw`te souvenir|garder|enregistrer|vous souvenir)|pas besoin de (?:retenir|mémoriser|noter|garder|` +
      String.raw`te souvenir|enregistrer)(?: (?:de )?(?:ça|cela|ceci|tout|en mémoire|ce)|[\s]*[:.!]|$)|` +
      String.raw`il ne faut (?:pas|rien) (?:retenir|mémoriser|noter|garder)(?: (?:ça|cela|ceci|de)|[\s]*[:.!]|$)|` +
      String.raw`tu ne (?:dois|devrais) pas (?:retenir|mémoriser|te souvenir|garder)(?: (?:de )?(?:ça|cela|ceci|` +
      String.raw`cette|en mémoire))|je ne veux pas que tu (?:retiennes|mémorises|notes|gardes|te souviennes|` +
      String.raw`enregistres)|(?:retiens|note|garde) rien (?:de|du)|hors (?:procès|procès-verbal|micro)|` +
      String.raw`entre nous et sans (?:note|trace)|(?:oublie|oubliez) (?:ça|cela|ceci) (?:ensuite|tout de suite|` +
      String.raw`après)`,
    "iu",
  ),
  // Spanish.
  new RegExp(
    String.raw`(?:no|nunca|tampoco|ni) (?:(?:lo|la|te|me|se|los) ?){0,2}(?:recuerdes?|recordar|memorices?|` +
      String.raw`memorizar|anotes?|anotar|guardes?|guardar|apuntes?|apuntar|registres?|retengas?|` +
      String.raw`tengas (?:en cuenta|presente|en mente)|almacenes|tomes nota|acuerdes)(?: de)?(?:(?: (?:esto|eso|` +
      String.raw`nada(?: de (?:esto|eso|lo))?|lo (?:siguiente|que \p{L}+)|est[ea] \p{L}+|es[ea] \p{L}+|todo esto|` +
      String.raw`en (?:tu |la )?memoria|en ning(?:ún|una) (?:sitio|lugar|parte)|que))(?! (?:en|como|a|` +
      String.raw`con) (?!(?:tu |la |su )?memoria|ning))|[\s]*[:.!]|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`no (?:hace falta que|es necesario que|quiero que|tienes (?:que|por qué)|necesitas|hay que|debes|` +
      String.raw`deberías|hace falta)(?: (?:lo|te|tú|que|me))* ?(?:recuerdes|recordar|memorices|memorizar|anotes|` +
      String.raw`anotar|guardes|guardar|apuntes|apuntar|retengas|retener|acuerdes|recordarlo|anotarlo|` +
      String.raw`guardarlo)(?: (?:esto|eso|nada|est[ea] \p{L}+|de|lo|en)|[\s]*[:.!]|$)|(?:recuerda|guarda|anota|` +
      String.raw`apunta) nada de|extraoficialmente|fuera de (?:registro|acta|micrófono)|off the record|` +
      String.raw`que no (?:quede|conste) (?:registro|constancia|registrado|en acta)|olvida (?:esto|` +
      String.raw`eso) (?:después|luego|enseguida)`,
    "iu",
  ),
  // Portuguese.
  new RegExp(
    String.raw`(?:não|nao|nunca|nem) (?:(?:se|te|o|a|me|precisa|deve|é para|é pra|quero que você|quero que|` +
      String.raw`tem que|tem de|vai|precisas?) ?){0,3}(?:lembr[ea]r?s?|memoriz(?:e|ar|a)|anot(?:e|ar|a)|` +
      String.raw`guard(?:e|ar|a)|grav(?:e|ar|a)|registr(?:e|ar|a)|salv(?:e|ar|a)|armazen(?:e|ar)|retenha|reter|` +
      String.raw`tome nota|mantenha|tenha em mente)(?:(?: (?:d?isso|d?isto|nada(?: d?isso| d?isto)?|` +
      String.raw`d?ess[ea] \p{L}+|d?est[ea] \p{L}+|o (?:seguinte|que \p{L}+)|na (?:sua )?memória|em lugar nenhum|` +
      String.raw`em mente|que))(?! (?:no|na|em|como) (?!lugar|memória|sua))|[\s]*[:.!]|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`não (?:é preciso|precisa|há necessidade de|quero que você) (?:lembrar|memorizar|anotar|guardar|` +
      String.raw`lembre|guarde|anote|memorize|se lembrar|se lembre)|em off|extraoficialmente|` +
      String.raw`que não fique registrado|esqueça (?:isso|isto) (?:depois|em seguida|logo)`,
    "iu",
  ),
  // Russian.
  new RegExp(
    String.raw`(?:не|ничего(?: из этого)? не|никогда не|нигде не) (?:(?:надо|нужно|стоит|следует|обязательно|` +
      String.raw`обязан\p{L}*|должен|должна|смей|вздумай|пытайся|хочу, чтобы ты) ?){0,2}(?:запомина(?:й|йте|` +
      String.raw`ть)|запомни(?:те|ть)?|запомнил[аи]?|помни(?:те|ть)?|записывай(?:те)?|записывать|сохраняй(?:те)?|` +
      String.raw`сохранять|запоминайте|заноси(?:те|ть)? в память|держи(?:те)? (?:это )?в (?:голове|уме|памяти)|` +
      String.raw`фиксируй(?:те)?)(?:(?: (?:это|этого|эт[уо]\p{L}* (?!(?:в|на|как) )\p{L}+|всё это|` +
      String.raw`ничего(?: из)?|то,? что|` +
      String.raw`следующ\p{L}+|нигде|в памят\p{L}+|себе|об этом|что))(?! (?:в|на|как) (?!памят))|[\s]*[:.!,]|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`(?:это|этого|следующее|ничего из этого|ничего|всё это|этот \p{L}+|эту \p{L}+)(?: (?:пожалуйста|` +
      String.raw`тебе|вам|здесь|лучше))* (?:не|нельзя) (?:(?:надо|нужно|стоит|следует) )?(?:запомина(?:й|йте|ть)|` +
      String.raw`помнить|запомни(?:те)?|записыва(?:й|йте|ть)|сохраня(?:й|йте|ть))(?!\p{L})|можешь (?:это )` +
      String.raw`?не (?:запоминать|помнить|` +
      String.raw`записывать|сохранять)|не для (?:протокола|записи|памяти)|без (?:протокола|записи)|` +
      String.raw`между нами,? не (?:запоминай|записывай)|забудь (?:это|об этом) (?:потом|сразу)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:это |этого |такое |тебе )*(?:запоминать|помнить|записывать|сохранять) (?:это |` +
      String.raw`этого )?(?:не (?:нужно|` +
      String.raw`надо|стоит|следует|обязательно|требуется)|нельзя|незачем|ни к чему)\s*(?:[:.,!]|$)|не (?:храни|` +
      String.raw`хранить|оставляй|держи|клади|помещай|сохраняй|вноси)(?:те)? (?:\p{L}+ ){0,2}?в (?:своей |твоей |` +
      String.raw`вашей |свою |твою )?памят\p{L}*\s*(?:[.,;:!]|$)`,
    "iu",
  ),
  // "This must not be remembered", "I do not want that you remember it".
  new RegExp(
    String.raw`^(?:ceci|cela|ça) ne doit (?:pas|jamais) être (?:mémorisé|retenu|enregistré|gardé|noté)|` +
      String.raw`^(?:esto|eso) no ` +
      String.raw`debe (?:quedar|ser) (?:guardad|registrad|memorizad|anotad|recordad)o(?= *(?:[.,;:!]|$))|` +
      String.raw`^(?:isso|isto) não deve (?:ser|` +
      String.raw`ficar) (?:guardad|registrad|memorizad|anotad|lembrad|gravad)o(?= *(?:[.,;:!]|$))|` +
      String.raw`^не (?:надо|нужно|стоит) эт(?:о|ого) ` +
      String.raw`(?:запоминать|записывать|помнить|сохранять)\s*(?:[:.,!]|$)|^(?:я )?не хочу,? чтобы (?:ты|` +
      String.raw`вы) эт(?:о|ого) ` +
      String.raw`(?:запом|помн|запис|сохран)`,
    "iu",
  ),
];

const unspaced: readonly RegExp[] = [
  // Chinese.
  new RegExp(
    String.raw`(?<![我他她你]们?(?:还|都|也)?)(?:请|千万|绝对)?(?:不要|别|不用|不必|不许|不准|无需|无须|切勿|请勿|勿|不需要|没必要|甭|禁止|(?<=^|你|都|` +
      String.raw`也|请)(?:不能|不该|不应该)|` +
      String.raw`不想(?:让)?你|不希望你|永远不要|永远别|从不)(?:把|将)?(?:你)?(?:这个|这件事|这条|这些|这点|这句话?|这段\p{L}{0,2}|以下\p{L}{0,2}|` +
      String.raw`下面\p{L}{0,4}|刚才\p{L}{0,4}|它|此事|上面\p{L}{0,4}|本次\p{L}{0,2}|我说的\p{L}{0,2})?(?:给)?(?:去|来)?(?:记住|記住|` +
      String.raw`记下来?|記下|记得|记录(?:下来|这|以下|任何|本|$)|记忆|保存(?:到|进|在)?(?:你的)?(?:记忆|这(?:个|条|些|段|次|句)(?=$|[，。：:！!]|` +
      String.raw`信息|内容|话|对话|消息))|存(?:到|进|` +
      String.raw`入)(?:你的)?记忆|存储(?:到)?记忆|[写记](?:进|入|到)(?:你的)?记忆|记(?:这|以下|任何|$|[，。：:！]))`,
    "u",
  ),
  new RegExp(
    String.raw`(?:这(?:个|件事|条|些|点|句话?|段话?|次对话)|以下(?:内容)?|下面(?:的内容)?|接下来的?内容?|此事)(?:你)?(?:请|就)?(?:都)?(?:不要|别|不用|` +
      String.raw`不必|不需要|无需|勿|不许|不准|不能|千万别)(?:给我)?(?:记(?!录日志)|存档|留下?记录|保存|外传并记)|(?:什么|任何东西|一个字)(?:都|也)(?:不要|别|不用|` +
      String.raw`不许)(?:记|存|保存)|不(?:做|作|留)(?:任何)?(?:记录|笔记|存档)|(?:私下说|仅限我们|不入档)`,
    "u",
  ),
  new RegExp(
    String.raw`^(?:请|千万|拜托)?(?:勿|不要|别|不用|不必|不许)(?:保存|记录|记下)\s*[：:]|(?:不要|别|不用|不必|勿)` +
      String.raw`(?:存|留)(?:这条|这句话?|这段话?|这件事)`,
    "u",
  ),
  // Japanese.
  new RegExp(
    String.raw`(?:これ|それ|この(?:こと|話|件|内容|会話|メッセージ|情報|セッション|やり取り|点)|次の(?:こと|内容|話)|以下|今の(?:話|こと)?|ここ(?:まで|` +
      String.raw`から)?(?:の(?:話|内容|こと))?|私の(?:言った|話す)こと|何も|一切|今回(?:の(?:話|こと|内容))?)?(?:は|を|も|について|に関しては|だけは|、|` +
      String.raw`\s)*(?:絶対に|決して|どうか|一切|何も|メモリ(?:に|へ)|記憶(?:に|へ)|どこにも|長期記憶に)*(?:覚えないで|覚えなくて|覚えておかないで|覚えておかなくて|` +
      String.raw`覚える必要(?:は|が|も)?(?:ない|ありません)|覚えておく必要(?:は|が|も)?(?:ない|ありません)|覚えるな|覚えてはいけ|記憶しないで|記憶しなくて|記憶する必要(?:は|` +
      String.raw`が)?(?:ない|ありません)|記憶に(?:残|留め|入れ|保存し)(?:さ)?ないで|メモしないで|メモしなくて|メモら?ないで|メモを取らないで|記録に残さないで|(?:メモリ|記憶|` +
      String.raw`メモ|どこにも)(?:に|へ)?(?:保存|記録)しないで|控えなくて|忘れてください|心に留めなくて|念頭に置かなくて)`,
    "u",
  ),
  new RegExp(
    String.raw`(?:これ|この(?:こと|話|件|内容|会話|メッセージ|やり取り)|次の(?:こと|内容)|以下|今の(?:話)?)(?:は|を|も)(?:、)?(?:絶対に|決して|一切)?(?:記録|` +
      String.raw`保存|メモ)(?:に残さ|し)ないで(?:ください|ね|ほしい)?|オフレコ|ここだけの話`,
    "u",
  ),
  /^(?:絶対に|どうか|お願い|くれぐれも)*(?:保存|記録|メモ|記憶|登録)(?:は|も)?しないで(?:ください|下さい|ね|くれ|ほしい)?[。．.!！]*$/u,
];

/** Recalls, asks, or tells of somebody: forbids nothing. */
const tells = new RegExp(
  String.raw`^(?:(?:well|sorry|hmm|and|but|no),? )*(?:i|we|they|he|she|it|users?|the \p{L}+|why|who|what|how|` +
    String.raw`if|when|does|did|do you|didn'?t|doesn'?t)\s(?!(?:do not|don'?t|would not|wouldn'?t|` +
    String.raw`'?d (?:rather|prefer)|would (?:rather|prefer)) (?:want|you)|(?:don'?t|do not) want|'?d|would|` +
    String.raw`follow|next|last|above|rest)`,
  "iu",
);

/** The same in other languages: its subject is the writer or a thing, not the one who is addressed. */
const tellsElsewhere = new RegExp(
  String.raw`^(?:ich (?!möchte|will|bitte|hätte)|(?:er|man) |(?:der|die|das|eine?|meine?|unsere?|diese[rs]?)` +
    String.raw` \p{L}[\p{L}-]* ` +
    String.raw`(?:soll(?:te)?|darf|kann|muss|hat|\p{L}{3,}t) (?!.*(?:werden|(?<!\p{L})du(?!\p{L})))|` +
    String.raw`(?:je (?!ne (?:veux|voudrais)|veux|voudrais|préfère)|il (?!(?:ne )?fau)|(?:elles?|on|ils) |` +
    String.raw`(?:(?:les?|la|une?|m[ao]n?|mes|notre|nos|ce|cette|ces) |l')\p{L}+(?: \p{L}+)? (?:ne |n'|doit ` +
    String.raw`|peut ))(?!.*être)|` +
    String.raw`(?:(?:yo|él|ella) |(?:el|la|los|las|una?|mi|nuestr[oa]|est[ea]) \p{L}+ (?:no|debe|puede) )` +
    String.raw`(?!.*(?:quede|ser |(?:guard|anot|apunt|registr|almacen|tom|recuerd|memoric)es|retengas|tengas))|` +
    String.raw`(?:(?:eu (?!não quero|quero)|ele |ela )|(?:os?|as?|uma?|meu|minha|noss[oa]|est[ea]|ess[ea]) ` +
    String.raw`\p{L}+ ` +
    String.raw`(?:não|deve|pode) )(?!.*(?:ser |fique|(?:guard|anot|salv|registr|grav|lembr|armazen|memoriz)` +
    String.raw`e(?!\p{L})))|` +
    String.raw`я (?!не хочу|хочу|прошу)|(?:он|она|оно|мы|они) )`,
  "iu",
);

const lineCharsMax = 2_000;
/** Sentences looked at: as many at the beginning of a longer text as at its end. */
const sentencesMax = 200;

/** True when one of the sentences forbids to remember what it points at. */
export function forbidsMemory(typed: string): boolean {
  const lines = typed.split("\n").map((line) => endsOf(line.replaceAll("’", "'").trim()));
  const ends = lines.slice(0, sentencesMax).concat(lines.slice(sentencesMax).slice(-sentencesMax));
  const sentences = ends.flatMap((line) => hardSplit(line));
  const looked = new Set([
    ...sentences.slice(0, sentencesMax / 2),
    ...sentences.slice(-sentencesMax / 2),
  ]);
  return [...looked].some((sentence) => clausesOf(sentence).some(forbids));
}

/** A line, or beginning and end of a long one. */
const endsOf = (line: string): string =>
  line.length <= lineCharsMax
    ? line
    : `${line.slice(0, lineCharsMax / 2)}. ${line.slice(-lineCharsMax / 2)}`;

/** The sentence, and what stands behind its commas, dashes and "and". */
const clausesOf = (sentence: string): readonly string[] => {
  const bare = sentence.replace(/^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u, "");
  const parts = bare.split(
    /[,;，；、(]\s*|\s[–—-]{1,2}\s|\s(?:and|but|so|und|aber|et|mais|y|pero|e|mas|и|но)\s/iu,
  );
  return [bare, ...parts.slice(1)].map((part) => part.replace(leadIn, "").trim());
};
const leadIn = new RegExp(
  String.raw`^(?:(?:please|pls|ok(?:ay)?|hey|claude|also|thanks|btw|by the way|important|note|and|but|so|` +
    String.raw`bitte|und|aber|s'il te plaît|surtout|por favor|пожалуйста|请|注意)[\s,:，：!.]*)+`,
  "iu",
);

function forbids(clause: string): boolean {
  if (/[?？]["')]*$/u.test(clause)) return false;
  if (unspaced.some((one) => one.test(clause))) return true;
  return (
    ![tells, tellsElsewhere].some((one) => one.test(clause)) &&
    spaced.some((one) => one.test(clause))
  );
}
