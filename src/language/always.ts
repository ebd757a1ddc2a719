/** Heads of standing orders, "always" and "never" with an imperative, in the languages beside English. Pure. */
/** `end`: what may not follow a word; `notImperative`: words that are none, as a pattern. */
export const alwaysOtherIn = (notImperative: string, end: string): readonly RegExp[] => [
  // Immer … -en, Nie … -en; Verwende immer.
  new RegExp(
    String.raw`^(?:bitte )?(?:immer|nie|niemals|grundsätzlich|generell)\s(?!noch|wieder|wenn|das|die|der|` +
      String.raw`ein).{3,200}\p{L}{2,}(?:en|ern|eln)[.!]*$`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?!ich|du|er|sie|es|wir|das|die|der)\p{L}{2,}(?<!t)(?: (?:bitte|mir|dabei|hier|` +
      String.raw`in diesem projekt|dafür))* (?:immer(?! noch| wieder)|nie(?:mals)?)\s`,
    "iu",
  ),
  // Toujours -er, ne jamais -er; Utilise toujours, n'utilise jamais.
  /^(?:toujours|(?:ne )?jamais)\s\p{L}+(?:er|ir|re)\s/iu,
  new RegExp(
    String.raw`^(?:ne |n')?(?!je|j|tu|il|elle|on|nous|c|ça|cela|le|la|les)\p{L}{3,}(?:e|s|ez|is)(?:-(?:le|la|` +
      String.raw`les|toi))? (?:toujours|jamais)\s(?!pas)`,
    "iu",
  ),
  new RegExp(
    `^(?:por favor,? )?(?:siempre|nunca|jamás|sempre|jamais) (?!(?:${notImperative})${end})\\p{L}+`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:no |não )?(?!el|la|los|yo|esto|eso|eu|isso|ele|ela|isto)\p{L}{2,}(?:a|e|as|es|á|é|ar|er|` +
      String.raw`ir)(?:lo|la)? (?:siempre|nunca|sempre)\s(?!falla|falha)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:пожалуйста,? )?(?:всегда|никогда не)\s(?:\p{L}+\s)?\p{L}+(?:й|йте|и|ите|ь|ьте|ть|ться|йся|` +
      String.raw`йтесь|ти)(?!\p{L})`,
    "iu",
  ),
];
