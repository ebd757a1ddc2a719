/** A prompt in one row, and the session that it belongs to. */
import type { InjectionHeadJson } from "#api";
import { feedback } from "../state/judge.ts";
import { sessionHref } from "../state/router.ts";
import { agentName, ProjectName } from "../parts/badges.tsx";
import { Likelihood } from "../parts/explained.tsx";
import { ago, causeWords, fullTime, occasionOf, plural } from "../parts/format.ts";
import { Line } from "../parts/text.tsx";

const isLost = ({ cause }: InjectionHeadJson): boolean => cause === "late" || cause === "failed";

/** Was it sent, was nothing sent, or did it not arrive? */
export const outcomeOf = (head: InjectionHeadJson): "sent" | "lost" | "nothing" =>
  isLost(head) ? "lost" : head.tokens > 0 ? "sent" : "nothing";

const outcomeWords = (head: InjectionHeadJson): string =>
  outcomeOf(head) === "sent"
    ? `Sent to Claude: ${plural(head.tokens, "token")}`
    : outcomeOf(head) === "lost"
      ? `Not sent: ${causeWords(head.cause)}`
      : `Nothing sent: ${causeWords(head.cause)}`;

const PromptTitle = ({ head }: { head: InjectionHeadJson }) => {
  const occasion = occasionOf(head.channel, head.cause);
  return occasion !== null ? (
    <span class="soft">{occasion}</span>
  ) : head.prompt === null || head.prompt === "" ? (
    <span class="soft">A prompt that was not kept</span>
  ) : (
    <Line text={head.prompt} />
  );
};

export const HeadText = ({ head }: { head: InjectionHeadJson }) => {
  const said = feedback(head);
  return (
    <>
      <span class={`outcome ${outcomeOf(head)}`} />
      <span class="row-main">
        <span class="row-text">
          <PromptTitle head={head} />
        </span>
        <span class="tiny faint cut">{outcomeWords(head)}</span>
      </span>
      {head.used === true && <span class="badge plain-badge">used later</span>}
      {said !== null && <span class="badge status-pending">{said}</span>}
      {head.probability !== null && <Likelihood value={head.probability} limit={head.threshold} />}
      <time class="row-time num" title={fullTime(head.at)}>
        {ago(head.at)}
      </time>
    </>
  );
};

/** Names the session above its prompts, and leads to it. */
export const SessionLine = ({ head }: { head: InjectionHeadJson }) => (
  <a class="session-line" href={sessionHref(head.session_id)} tabIndex={-1}>
    <strong class="cut">
      <Line text={head.session_title ?? `Session ${head.session_id.slice(0, 8)}`} />
    </strong>
    <span class="tiny faint cut">
      {head.project !== null && (
        <>
          <ProjectName project={head.project} /> ·{" "}
        </>
      )}
      {agentName(head.session_id)}
    </span>
  </a>
);
