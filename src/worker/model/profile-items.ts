/**
 * What the tiers of the relational profile name, one item each, written by the program or by a user who changed
 * the line, the overview or the record by hand. Pure.
 */
import { profileOf, type ProfileSection } from "#prompts";

export interface ProfileItem {
  /** Null where the tier does not say. */
  readonly section: ProfileSection | null;
  readonly text: string;
  /** There was no room for all of it. */
  readonly isCut: boolean;
}

const sectionOfHeading: Readonly<Record<string, ProfileSection>> = {
  feedback: "feedback",
  working: "dynamic",
  corrections: "corrections",
  earned: "signals",
};

const ellipsis = /(?:…|\.{3})$/u;

const itemOf = (section: ProfileSection | null, text: string): readonly ProfileItem[] => {
  const said = text.replace(ellipsis, "").trim();
  return said === "" ? [] : [{ section, text: said, isCut: said !== text.trim() }];
};

/**
 * Lines of an overview under their headings, with or without bullets, and without the notes that the rendering adds.
 */
export function itemsOfOverview(overview: string): readonly ProfileItem[] {
  let section: ProfileSection = "feedback";
  return overview.split("\n").flatMap((line) => {
    const heading = /^(\w+)[^:]*:\s*$/.exec(line)?.[1]?.toLowerCase() ?? "";
    const named = sectionOfHeading[heading];
    if (named !== undefined) {
      section = named;
      return [];
    }
    const said = line.replace(/^\s*[-*•]\s+/, "").replace(/\s+\(since \d{4}-\d\d-\d\d\b.*\)$/, "");
    return itemOf(section, said);
  });
}

/** Parts of a line: "How the user likes to work: one; another". */
export const itemsOfLine = (line: string, opening: string): readonly ProfileItem[] =>
  (line.startsWith(opening) ? line.slice(opening.length).replace(/^:/, "") : line)
    .split(";")
    .flatMap((part) => itemOf(null, part));

/** Lines of a record: statements as the program writes them, or sentences of a user. */
export const itemsOfRecord = (record: string | null): readonly ProfileItem[] =>
  (record ?? "").split("\n").flatMap((line) => {
    const [statement] = profileOf(line);
    if (statement !== undefined) return itemOf(statement.section, statement.text);
    return /^\s*\{/.test(line) ? [] : itemOf("feedback", line);
  });
