/** Does an order hold beyond its project: "in all my projects", "everywhere"? Pure. */
import { denies } from "./hard-words.ts";
import { everyProject, everywhere, everywhereAside } from "./orders-patterns.ts";

/** Makes projects the user's own. */
export const possessive =
  /(?<!\p{L})(?:my|our|meinen?|unsere[nr]?|mes|nos|mis|nuestr[oa]s|meus|nossos|моих|наших)(?!\p{L})|我的|我们的|私の/iu;

/** `rule`: a standing order; `fact`: "installed globally" tells of the thing and not of where the fact holds. */
export function holdsEverywhere(quote: string, matter: string, order: StandsFor): boolean {
  if (!order.isOutright) return order.isRule && namesItsProjects(quote);
  if (!isEverywhere(quote)) return false;
  return (
    order.isRule ||
    everyProject.test(quote) ||
    !everywhere.test(matter) ||
    everywhereAside.test(matter)
  );
}

interface StandsFor {
  readonly isOutright: boolean;
  readonly isRule: boolean;
}

/** "In all my projects, always …"; "always check all projects in the monorepo" names what is checked. */
function namesItsProjects(sentence: string): boolean {
  if (everywhereAside.test(sentence)) return true;
  const match = everyProject.exec(sentence);
  if (match === null || ofOne.test(sentence.slice(match.index + match[0].length))) return false;
  return (possessive.test(match[0]) || placed.test(match[0])) && isEverywhere(sentence);
}
const ofOne = new RegExp(
  String.raw`^\s+(?:(?:in|of|inside|within|from) (?:the|this|our|that)(?!\p{L})|im |in der |des |der |du |de la |del ` +
    String.raw`|do |da |в )`,
  "iu",
);
const placed = new RegExp(
  String.raw`^(?:in|for|across|no|regardless|projekt|für|dans|pour|sur|quel|en|para|em|pra|nos|во|для|по|в)(?!\p{L})` +
    String.raw`|\p{Script=Han}`,
  "iu",
);

/** True for a sentence with words that carry a memory beyond its project. */
export const isEverywhere = (sentence: string): boolean => besideEverywhere(sentence) !== null;

/** Text beside the words that carry a clause beyond its project; null without such words, or where they are denied. */
export function besideEverywhere(clause: string): string | null {
  const match = everywhere.exec(clause);
  if (match === null) return null;
  const before = clause.slice(0, match.index).trim();
  if (denies(`${before.split(/\s+/u).at(-1) ?? ""} x`)) return null;
  return `${before} ${clause.slice(match.index + match[0].length)}`;
}
