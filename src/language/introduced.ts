/**
 * Lists that a line introduces as another's text: "here's our AGENTS.md:", "the wiki says:". Their items are not the
 * user's rules, though the user typed or pasted them line by line. Pure.
 */

/** Shows or cites, in eight languages. */
const cites =
  /(?<!\p{L})(?:here(?:'s| is| are)|this is|these are|i (?:found|got|read|saw)|(?:it|he|she|they|who) (?:says?|said|wrote|writes)|(?:says?|said|wrote|writes|reads|suggests?|states|lists|according to|quot(?:e|ing)|copied from|pasted from|from upstream|their)|hier (?:ist|sind|steht)|(?:sagt|schreibt|steht in|laut|empfiehlt)|voici|voilà|(?:dit|écrit|selon|d'après)|aquí (?:está|están|tienes)|(?:dice|escribe|según)|aqui (?:está|estão)|(?:diz|escreve|segundo)|вот|пишет|говорит|согласно)(?!\p{L})|这是|写道|根据|以下は|によると/iu;
/** A file and nothing to do with it. */
const namesFile =
  /(?:\b(?:README|CONTRIBUTING|CHANGELOG)\b|[\w-]+\.(?:md|txt|rst|adoc|mdc|html?|pdf))["'`)]?\s*[:：]$/u;
const isWritten =
  /\b(?:add|put|write|append|insert|update|change|extend|note|ergänze|schreib|ajoute|añade|adiciona|добавь)\b/iu;

/** Asks for what follows to be kept or held to: then the items are the user's. */
const asks =
  /\b(?:remember|keep in mind|don'?t forget|from now on|going forward|always|never|our rules?|my rules?|house rules?|please (?:follow|use|do|stick)|merk dir|ab jetzt|retiens|désormais|recuerda|a partir de|lembr[ae])\b|запомни|отныне|记住|以后|覚えて|今後/iu;

const item = /^\s*(?:[-*•・+]|\d{1,2}[.)])\s+\S/u;
const introduction = /[:：]["'”*_]{0,3}$/u;

const isForeign = (line: string): boolean =>
  introduction.test(line) &&
  !asks.test(line) &&
  (cites.test(line) || (namesFile.test(line) && !isWritten.test(line)));

/** The text without the items of such lists; their introduction stays. */
export function withoutIntroducedLists(text: string): string {
  if (!/[:：]/u.test(text)) return text;
  const kept: string[] = [];
  let isInside = false;
  for (const line of text.split("\n")) {
    const said = line.trim();
    const continues = said === "" || item.test(line) || /^\s{2,}\S/u.test(line);
    isInside = isInside && continues;
    if (isInside && said !== "") continue;
    kept.push(line);
    if (!isInside) isInside = isForeign(said);
  }
  return kept.join("\n");
}
