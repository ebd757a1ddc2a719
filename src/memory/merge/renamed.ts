/** A name that has another one now: "mars got renamed to venus", "Glitchtip replaces Sentry". Pure. */

const name = (group: string): string =>
  String.raw`(?<${group}>[\p{L}\p{N}](?:[\p{L}\p{N}._/-]*[\p{L}\p{N}])?)`;
const start = String.raw`(?<![\p{L}\p{N}._/-])`;
/** Behind a name in a script without spaces. */
const latin = (group: string): string => String.raw`(?<${group}>[\w][\w._/-]*)`;

const patterns: readonly RegExp[] = [
  `${start}${name("old")} (?:(?:is|was|got|are|were|has been|have been)` +
    ` (?:now )?(?:renamed|rebranded|called)|is now named) (?:to |into |as )?${name("to")}`,
  `(?:re)named (?:the )?${name("old")} (?:to|into) ${name("to")}`,
  `${start}${name("to")} (?:now )?(?:replaces|replaced|supersedes|ersetzt|remplace|reemplaza a|sustituye a|substitui` +
    ` (?:o|a)|заменяет|заменил[аио]?) (?:the |den |die |das |le |la )?${name("old")}`,
  `${start}${name("old")} (?:wurde|ist|wird) (?:jetzt )?(?:in|zu) ${name("to")} umbenannt`,
  `${start}${name("old")} (?:heißt|heisst) (?:jetzt|nun|ab sofort|ab jetzt) ${name("to")}`,
  `${start}${name("old")} (?:a été|est) renommée? (?:en )?${name("to")}`,
  `renommé ${name("old")} en ${name("to")}`,
  `${start}${name("old")} s'appelle (?:désormais|maintenant) ${name("to")}`,
  `${start}${name("old")} (?:pasó a llamarse|se renombró (?:a|como)|fue renombrad[oa] (?:a|como|en)|ahora se llama` +
    `|se llama ahora) ${name("to")}`,
  `${start}${name("old")} (?:foi renomead[oa] (?:para|pra|como)|passou a se chamar|agora se chama|virou) ${name("to")}`,
  `${start}${name("old")} (?:переименовал[аи]?|переименован[аоы]?) в ${name("to")}`,
  `${start}${name("old")} теперь называется ${name("to")}`,
  String.raw`${latin("old")}\s*(?:已经?)?(?:(?:改名|更名|重命名)(?:为|成|叫)?|现在叫)\s*${latin("to")}`,
  String.raw`${latin("old")}は?\s*${latin("to")}(?:に|へ)(?:改名|リネーム|名称変更|名前が変わ)`,
].map((pattern) => new RegExp(pattern, "iu"));

/** True where the older statement ends with a name that the newer one says is another now. */
export function renames(newer: string, older: string): boolean {
  const said = newer.normalize("NFKC").replaceAll("’", "'");
  const known = older
    .normalize("NFKC")
    .replace(/[\s.!。]+$/u, "")
    .toLowerCase();
  return patterns.some((pattern) => {
    const match = pattern.exec(said);
    const { old = "", to = "" } = match?.groups ?? {};
    const [value, next] = [old.toLowerCase(), to.toLowerCase()];
    const isName = value.length >= nameCharsMin && !pronoun.test(next);
    if (match === null || !isName || value === next || known.includes(next)) return false;
    const before = known.slice(0, -value.length);
    const isEnd = known.endsWith(value) && /(?:\s|[\p{sc=Han}\p{sc=Hiragana}])$/u.test(before);
    return isEnd && isAllOf(said.slice(match.index + match[0].length), known);
  });
}
/** "Tempo replaces Loki for traces" leaves Loki to all else: what stands behind has to be in the older statement. */
const isAllOf = (behind: string, known: string): boolean =>
  (behind.toLowerCase().match(/[\p{sc=Latin}\p{sc=Cyrillic}]{4,}/gu) ?? []).every(
    (word) => change.has(word) || known.includes(word),
  );
const change = new Set(
  "today since from yesterday heute gestern now last week monday jetzt como comme".split(" "),
);
const pronoun = /^(?:we|i|you|they|he|she|it|wir|ich|er|sie|es|on|il|elle|nous|мы|он|она)$/u;
/** Shorter words are pronouns: "it is now called venus". */
const nameCharsMin = 4;
