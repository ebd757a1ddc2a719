/** What stands where nothing else can: loading, empty, failed. Each says what to do next. */
import type { ComponentChildren } from "preact";
import type { Failure } from "../state/failure.ts";
import { Icon, type IconName } from "./icons.tsx";

export const Empty = (props: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name={props.icon} />
    </span>
    <p class="empty-title">{props.title}</p>
    <div class="empty-text">{props.children}</div>
  </div>
);

export const Failed = ({ failure, retry }: { failure: Failure; retry: () => void }) => (
  <div class="empty" role="alert">
    <span class="empty-icon bad">
      <Icon name={failure.kind === "offline" ? "plug" : "cross"} />
    </span>
    <p class="empty-title">
      {failure.kind === "offline" ? "The daemon does not answer" : "Request failed"}
    </p>
    <div class="empty-text">
      <p>
        {failure.kind === "offline" ? (
          <>
            It stops when idle. <code>continuity ui</code> starts it again.
          </>
        ) : (
          failure.message
        )}
      </p>
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    </div>
  </div>
);

/** Grey lines in the shape of what is coming. */
export const Waiting = ({ lines = 6 }: { lines?: number }) => (
  <div class="waiting" aria-busy="true">
    <span class="unseen" role="status">
      Loading
    </span>
    {Array.from({ length: lines }, (_, at) => (
      <span key={at} class="bone" style={{ width: `${88 - ((at * 17) % 46)}%` }} />
    ))}
  </div>
);
