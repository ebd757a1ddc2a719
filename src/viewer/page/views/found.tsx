/** One result of a search: as a row with its reasons in short, and beside the list with all of them. */
import type { ExplanationJson, FoundJson } from "#api";
import { memoryHref, route } from "../state/router.ts";
import { CategoryDot, ProjectBadge, StatusBadge, TokenBadges } from "../parts/badges.tsx";
import { ago, fullTime, plural } from "../parts/format.ts";
import { Meter } from "../parts/memory-head.tsx";
import type { RowHandle } from "../parts/memory-list.tsx";
import { Line, Prose } from "../parts/text.tsx";
import { MemoryPane } from "./memory-pane.tsx";

/** Results come as an index: without their longer tiers. */
export type Found = Omit<FoundJson, "l1" | "l2">;

export interface FoundSubject extends Found {
  readonly pinned: boolean;
  /** Place in the results, from 1. */
  readonly rank: number;
  /** It was replaced, and stands under what replaced it. */
  readonly isEarlier: boolean;
  /** How many it has replaced. */
  readonly earlier: number;
}

interface FoundRowProps extends RowHandle {
  readonly found: FoundSubject;
  readonly words: readonly string[];
  /** Score of the first result. */
  readonly best: number;
}

/** Turns and summaries have no page of their own: they are shown in their session. */
export const placeOf = ({ uri, kind }: Pick<FoundJson, "uri" | "kind">): string => {
  const session = /^mem:\/\/sessions\/([^/]+)/.exec(uri)?.[1];
  const isNode = kind === "memory" || kind === "moment" || kind === "exchange";
  return isNode || session === undefined ? memoryHref(uri) : `#/session/${session}`;
};

export const FoundRow = ({ found, words, best, isCurrent, onChoose }: FoundRowProps) => (
  <a
    class={`row found-row${isCurrent ? " current" : ""}${found.isEarlier ? " earlier" : ""}`}
    href={placeOf(found)}
    tabIndex={isCurrent ? 0 : -1}
    aria-current={isCurrent ? "true" : undefined}
    onClick={onChoose ?? undefined}
  >
    <span class="rank num faint">{found.rank}</span>
    <span class="found-main">
      <span class="found-line">
        {CategoryDot(found)}
        <span class="row-text">{Line({ text: found.l0, words })}</span>
      </span>
      <span class="found-why tiny faint num">
        <span class="score-bar" title={`score ${found.score.toFixed(3)}`}>
          <span style={{ width: `${Math.round((found.score / best) * 100)}%` }} />
        </span>
        {reasonsOf(found.explanation).join(" · ")}
      </span>
    </span>
    <span class="row-marks">
      {found.earlier > 0 && (
        <span class="badge plain-badge num" title="Values that it replaced: l shows them">
          {plural(found.earlier, "earlier value")}
        </span>
      )}
      {found.kind !== "memory" && <span class="badge plain-badge">{found.kind}</span>}
      {StatusBadge(found)}
      {ProjectBadge(found)}
    </span>
    <time class="row-time num" title={fullTime(found.at)}>
      {ago(found.at)}
    </time>
  </a>
);

/** Why it was found, in few words. */
function reasonsOf({ lexicalRank, similarity, nudges, via }: ExplanationJson): readonly string[] {
  const reasons: string[] = [];
  if (lexicalRank !== null) reasons.push(`words #${lexicalRank}`);
  if (similarity !== null) reasons.push(`meaning ${similarity.toFixed(2)}`);
  for (const [name, factor] of Object.entries(nudges))
    if (Math.abs(factor - 1) >= 0.03) reasons.push(`${name} ×${factor.toFixed(2)}`);
  if (via !== "query") reasons.push(ways[via]);
  return reasons;
}

const ways: Readonly<Record<ExplanationJson["via"], string>> = {
  query: "matched the whole query",
  clause: "matched part of the query",
  sibling: "near a top result",
  link: "linked to a top result",
};

interface FoundPaneProps {
  readonly found: FoundSubject;
  readonly best: number;
  /** What it has replaced. */
  readonly earlier: readonly Found[];
}

export const FoundPane = ({ found, best, earlier }: FoundPaneProps) => (
  <>
    <Why found={found} best={best} />
    {earlier.length > 0 && <Earlier values={earlier} />}
    {found.kind === "memory" || found.kind === "moment" || found.kind === "exchange" ? (
      <MemoryPane uri={found.uri} />
    ) : (
      <article class="memory">
        <p class="small faint">
          From a session: <a href={placeOf(found)}>open the session</a>
        </p>
        <Prose text={found.l0} />
      </article>
    )}
  </>
);

const Earlier = ({ values }: { values: readonly Found[] }) => (
  <section class="why" aria-label="Earlier values">
    <h2 class="why-title">Earlier values</h2>
    <ul class="link-list">
      {values.map(({ uri, l0, at }) => (
        <li key={uri}>
          <a class="row compact" href={memoryHref(uri)}>
            <span class="row-text">
              <Line text={l0} />
            </span>
            <time class="row-time num" title={fullTime(at)}>
              {ago(at)}
            </time>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

function Why({ found, best }: { found: FoundSubject; best: number }) {
  const { lexical, lexicalRank, similarity, fused, nudges, via } = found.explanation;
  return (
    <section class="why" aria-label="Why it ranks here">
      <h2 class="why-title">
        Why it ranks #{found.rank}
        <span class="grow" />
        <TokenBadges tokens={found.tokens} />
      </h2>
      <dl class="why-grid">
        <dt>Words</dt>
        <dd>
          <Meter value={lexical} label={lexical.toFixed(2)} />
          <span class="faint tiny">
            {lexicalRank === null ? "no keyword match" : `keyword match #${lexicalRank}`}
          </span>
        </dd>
        <dt>Meaning</dt>
        <dd>
          <Meter
            value={similarity ?? 0}
            label={similarity === null ? "–" : similarity.toFixed(2)}
          />
          <span class="faint tiny">
            {similarity === null ? "no similarity" : "cosine similarity"}
          </span>
        </dd>
        <dt>Combined</dt>
        <dd>
          <Meter value={fused} label={fused.toFixed(2)} />
          <span class="faint tiny">{ways[via]}</span>
        </dd>
        <dt>Adjustments</dt>
        <dd>
          <Nudges nudges={nudges} />
        </dd>
        <dt>Score</dt>
        <dd>
          <Meter value={found.score / best} label={found.score.toFixed(3)} />
          <span class="faint tiny">for “{route.value.query.get("q") ?? ""}”</span>
        </dd>
      </dl>
    </section>
  );
}

const Nudges = ({ nudges }: { nudges: Readonly<Record<string, number>> }) => {
  const entries = Object.entries(nudges);
  return entries.length === 0 ? (
    <span class="faint tiny">none</span>
  ) : (
    <span class="words">
      {entries.map(([name, factor]) => (
        <span key={name} class="badge plain-badge num">
          {name} ×{factor.toFixed(3)}
        </span>
      ))}
    </span>
  );
};
