/** One result of a search: why it was found, and what it is. */
import type { ExplanationJson, FoundJson } from "#api";
import { memoryHref } from "../state/router.ts";
import { categoryNames } from "../parts/format.ts";
import { Prose } from "../parts/text.tsx";
import { MemoryPane } from "./memory-pane.tsx";

/** Results come as an index: without their longer tiers. */
export type Found = Omit<FoundJson, "l1" | "l2">;

export interface FoundSubject extends Found {
  readonly pinned: boolean;
  /** Place in the results, from 1. */
  readonly rank: number;
}

type Kept = Pick<FoundJson, "uri" | "kind">;

const isNode = ({ kind }: Kept): boolean =>
  kind === "memory" || kind === "moment" || kind === "exchange";

/** Prompts and summaries have no page of their own: they are shown in their session. */
export const addressOf = (found: Kept): string => {
  const session = /^mem:\/\/sessions\/([^/]+)/.exec(found.uri)?.[1];
  return isNode(found) || session === undefined ? memoryHref(found.uri) : `#/session/${session}`;
};

const kindNames: Readonly<Record<FoundJson["kind"], string>> = {
  memory: "",
  exchange: "",
  moment: "",
  prompt: "prompt",
  checkpoint: "summary",
};

/** Says in few words why it was found. */
export function notesOf({ kind, category, explanation }: Found): readonly string[] {
  const { lexicalRank, similarity, via } = explanation;
  const name = category === null ? categoryNames.sessions : "";
  return [
    name,
    kindNames[kind],
    lexicalRank === null ? "" : "same words",
    similarity === null || similarity < closeMin ? "" : "close in meaning",
    via === "query" ? "" : ways[via],
  ].filter((note) => note !== "");
}

/** As similar as two sentences about the same thing. */
const closeMin = 0.4;

const ways: Readonly<Record<Exclude<ExplanationJson["via"], "query">, string>> = {
  clause: "matches a part of the question",
  sibling: "near a good result",
  link: "linked to a good result",
};

export const FoundPane = ({ found }: { found: FoundSubject }) => (
  <>
    {isNode(found) ? (
      <MemoryPane key={found.uri} uri={found.uri} />
    ) : (
      <article class="memory">
        <p class="small faint">
          From a session: <a href={addressOf(found)}>open the session</a>
        </p>
        <Prose text={found.l0} />
      </article>
    )}
    <Why found={found} />
  </>
);

const Why = ({ found }: { found: FoundSubject }) => (
  <section class="why small" aria-label="Why it was found">
    <h2 class="small">Result {found.rank}</h2>
    <p class="soft">{notesOf(found).join(", ") || "by its context"}</p>
  </section>
);
