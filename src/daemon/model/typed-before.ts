/**
 * Finds orders of a session that its user typed in earlier sessions of the project too, in much the same words: each
 * question about a session sees that one alone, so a habit would look like an order of the moment for ever. Reads the
 * archive, which holds nothing that was private or is forgotten.
 */
import { type Condensed, promptLimits, type SessionInput } from "#models";
import { headlessTag, type MemoryNode, type Session } from "#domain";
import { localDate } from "#kit";
import { sentencesOf } from "#language";
import { spokenOf, stemsOf } from "#memory";
import type { WorkerContext } from "../context.ts";

type TypedBefore = SessionInput["typedBefore"][number];

/** Turns that are looked up: the last ones. */
const turnsMax = 40;
/** Exchanges that are compared with a turn. */
const foundMax = 8;
/** A longer prompt tells what it is about. */
const typedCharsMax = 300;
/**
 * Words that both must have, and their share of the shorter one's and of the longer one's. The model tells a habit from
 * chance: "open a trail" has two words among the others of a prompt. No more than two are most of the shorter one.
 */
const sharedMin = 2;
const shorterShareMin = 1 / 3;
const shorterShareOfTwoMin = 2 / 3;
const longerShareMin = 1 / 4;

/** The nearest first, one for each earlier session, as many as have room. */
export function typedBefore(
  deps: WorkerContext,
  session: Session,
  { said }: Condensed,
): readonly TypedBefore[] {
  const { project } = session;
  if (project === null) return [];
  const near = said
    .slice(-turnsMax)
    .flatMap(({ n, own }) =>
      ordersIn(own).flatMap((order) => earlierOf(deps, { session, project, order, turn: n })),
    );
  const sessions = new Set<string>();
  let chars = 0;
  return near
    .toSorted((a, b) => b.share - a.share || a.turn - b.turn)
    .filter(({ sessionId, text }) => {
      if (sessions.has(sessionId) || chars + text.length > promptLimits.typedBeforeCharsMax)
        return false;
      sessions.add(sessionId);
      chars += text.length;
      return true;
    })
    .map(({ date, text, turn }) => ({ date, text, turn }));
}

interface Near extends Omit<TypedBefore, "turn"> {
  readonly sessionId: string;
  /** Share of the longer one's words that both have. */
  readonly share: number;
}

/** A short prompt as a whole, and each of its sentences; no questions. Long ones are about their matter. */
function ordersIn(typed: string): readonly string[] {
  if (typed.trim().length > typedCharsMax) return [];
  const texts = sentencesOf(typed).flatMap(({ isQuestion, text }) => (isQuestion ? [] : [text]));
  return texts.length > 1 ? [texts.join(" "), ...texts] : texts;
}

function earlierOf(
  { finder }: WorkerContext,
  asked: {
    readonly session: Session;
    readonly project: string;
    readonly turn: number;
    readonly order: string;
  },
): readonly (Near & TypedBefore)[] {
  const { order, project, session, turn } = asked;
  const stems = orderStems(order);
  if (stems.size < sharedMin) return [];
  return finder
    .find({
      text: order,
      kinds: ["exchange"],
      projects: [project],
      homeProject: project,
      statuses: ["active"],
      untilMs: session.startedAt,
      limit: foundMax,
      sort: "relevance",
      nowMs: session.startedAt,
    })
    .flatMap(({ node }) => {
      const near = node === null ? null : nearestIn(node, session, stems);
      return near === null ? [] : [Object.assign(near, { turn })];
    });
}

/** The words of an exchange of another session that are nearest to an order; null where none are near. */
function nearestIn(
  { createdAt, l0, l1, sourceSession, tags, validFrom }: MemoryNode,
  { sessionId }: Session,
  stems: ReadonlySet<string>,
): Near | null {
  if (sourceSession === null || sourceSession === sessionId || tags.includes(headlessTag))
    return null;
  const typed = spokenOf(l1 ?? l0).filter(({ by }) => by === "user");
  const [nearest] = ordersIn(typed.map(({ text }) => text).join(" "))
    .map((text) => ({ text, share: sharedBy(stems, orderStems(text)) }))
    .toSorted((a, b) => b.share - a.share);
  if (nearest === undefined || nearest.share === 0) return null;
  return { ...nearest, sessionId: sourceSession, date: localDate(validFrom ?? createdAt) };
}

/** Paths and addresses name what an order is about, and every prompt that mentions the file has their words. */
const orderStems = (order: string): ReadonlySet<string> =>
  stemsOf(order.replace(/\S*[/\\]\S*/gu, " "));

/** 0 where too few words are the same. */
function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  const [shorter, longer] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  const shareMin = shared > sharedMin ? shorterShareMin : shorterShareOfTwoMin;
  return shared >= sharedMin && shared >= shorter * shareMin && shared >= longer * longerShareMin
    ? shared / longer
    : 0;
}
