/**
 * The words by which people ask, in eight languages, that something be kept, and how lists of such words are matched.
 * The reader of prompts and the signals of memory share them. Pure data.
 */

/** One of these phrases, a line each or separated by `|`, standing alone: for scripts that part words by spaces. */
export const standing = (list: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${list.trim().replace(/\s*\n\s*/gu, "|")})(?![\\p{L}\\p{N}])`,
    "iu",
  );

/** One of these phrases anywhere: for scripts without spaces. */
export const anywhere = (list: string): RegExp =>
  new RegExp(list.trim().replace(/\s*\n\s*/gu, "|"), "u");

/** "Remember that …" and its like. */
export const askedToKeep = {
  spaced: standing(`
      (?:please |pls )?remember (?:that|this|to|:)|(?:please |pls )?remember,?:?(?= \\p{L})
      keep (?:this |that |it )?in mind|bear in mind|don'?t (?:ever )?forget|do not forget|make a note|take note|note to self|note (?:that|down|for later|this)|for the record|memori[sz]e|write (?:this|that) down
      merk(?:e)? (?:dir|es dir|s dir)|denk dran|denk daran|vergiss nicht|behalt(?:e)? (?:das )?im (?:kopf|hinterkopf)|notier(?:e)? (?:dir)?|halt(?:e)? fest
      retiens|souviens-toi|rappelle-toi|n'oublie (?:pas|jamais)|oublie pas|garde en tête|note (?:bien|que|pour)|à retenir|mémorise
      recuerda|acuérdate|ten en cuenta|ten presente|no (?:te )?olvides|apunta(?:te)?|anota|toma nota|memoriza|que no se te olvide
      lembra(?:-te)?|lembre(?:-se)?|guarda (?:isso|aí|ai|que)|anota (?:aí|ai|que|isso)|não (?:se )?esque(?:ce|ça|cas)|nao (?:se )?esque(?:ce|ça|ca)|tenha em mente|memoriza|grava (?:isso|aí|ai)
      запомни(?:те)?|имей(?:те)? в виду|не забудь(?:те)?|не забывай(?:те)?|запиши(?:те)?|на заметку|учти(?:те)?|держи в голове
    `),
  unspaced: anywhere(
    "记住|记一下|记下|记得|别忘了|不要忘|请记|備忘|备忘\n覚えて(?:お|い)|覚えといて|メモして|メモ(?:：|:)|忘れないで|記憶して|記録して|念頭に",
  ),
} as const;

/** "remember when", "remember me": no order to keep anything. */
const recalls = /^(?:please |pls )?remember,? (?!that\b|this\b)/iu;

/** Does the sentence begin with the order to keep it? Then nothing has to tell whether it is meant. */
export function isOutright(sentence: string): boolean {
  if (recalls.test(sentence)) return false;
  return [askedToKeep.spaced, askedToKeep.unspaced].some(
    (pattern) => pattern.exec(sentence)?.index === 0,
  );
}
