/** Several values of one subject: "the reviewers are Ana and Tom". Tells when a newer list ends an older one. Pure. */
import { tellsChange } from "#language";

/** A statement that lists: its subject and its values, in lower case. */
interface Listed {
  readonly subject: string;
  readonly values: readonly string[];
}

const charsMax = 300;
/** Values of a statement, and words of one of them: what is longer tells something else. */
const valuesMax = 12;
const valueWordsMax = 4;

const now = String.raw`(?:now|currently|jetzt|nun|maintenant|désormais|ahora|agora|теперь|сейчас)\s+`;
/** A plural subject, its copula and the values; Russian has a dash in its place. */
const shapes: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?<subject>[^,;:]{3,80}?)\s+(?:are|sind|sont|son|são)\s+(?:${now})?(?<values>[^;:]{2,200}?)[.!\s]*$`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?<subject>[^,;:]{3,80}?)\s+(?:${now})?[—–-]\s+(?:${now})?(?<values>[^;:]{2,200}?)[.!\s]*$`,
    "iu",
  ),
  /^(?<subject>[^，。：]{2,40}?)(?:现在|目前)?[是为](?<values>[^。：]{2,200}?)[。！\s]*$/u,
  /^(?<subject>[^、。：]{2,40}?)(?:は|が)(?:今は|現在は)?(?<values>[^。：]{2,200}?)(?:です|だ|になりました)?[。！\s]*$/u,
];
const between =
  /\s*[,，、]\s*(?:(?:and|und|et|y|e|и)\s+|和|与)?|\s+(?:and|und|et|y|e|и)\s+|\s*[和与と](?=\s?[\p{L}\p{N}])\s*/iu;

function listedIn(statement: string): Listed | null {
  if (statement.length > charsMax) return null;
  const said = statement.normalize("NFKC").trim();
  const groups = shapes.map((shape) => shape.exec(said)?.groups).find((found) => found);
  const values = groups?.["values"]?.toLowerCase().split(between) ?? [];
  const isList =
    values.length <= valuesMax &&
    values.every((value) => value !== "" && value.split(/\s+/u).length <= valueWordsMax);
  return isList && values.length > 0
    ? { subject: groups?.["subject"]?.toLowerCase().trim() ?? "", values }
    : null;
}

/** Returns the values of two statements of one subject; null unless one of them has several. */
function listsOf(
  newer: string,
  older: string,
): { readonly mine: readonly string[]; readonly theirs: readonly string[] } | null {
  const [mine, theirs] = [listedIn(newer), listedIn(older)];
  const isOfOne = mine !== null && theirs !== null && mine.subject === theirs.subject;
  return isOfOne && Math.max(mine.values.length, theirs.values.length) > 1
    ? { mine: mine.values, theirs: theirs.values }
    : null;
}

/** True when the newer list says that it changed: "the reviewers are now Kim and Bo". Else both may hold. */
export const listsAnew = (newer: string, older: string): boolean =>
  listsOthers(newer, older) && tellsChange(newer) && !tellsChange(older);

/** True when both list values of one subject, and some of the older ones are missing in the newer list. */
export function listsOthers(newer: string, older: string): boolean {
  const lists = listsOf(newer, older);
  return lists !== null && lists.theirs.some((value) => !lists.mine.includes(value));
}
