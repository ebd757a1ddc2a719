/** What every view is made of: buttons, and what stands where an answer is awaited, empty or failed. */
import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { whenProved } from "../state/connection.ts";
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

type State<Props> = { readonly View: ComponentType<Props> } | "waiting" | "failed";

/** Loads once; after a failure, anew when it is shown again. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const state = signal<State<Props>>("waiting");
  let isAsked = false;
  const ask = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    state.value = "waiting";
    try {
      // Code of whoever took over the daemon's port would run with the page's token.
      await whenProved();
      state.value = { View: await load() };
    } catch {
      isAsked = false;
      state.value = "failed";
    }
  };
  return (props) => {
    useLayoutEffect(() => void ask(), []);
    const { value } = state;
    if (value === "waiting") return <Waiting />;
    if (value !== "failed") return <value.View {...props} />;
    return (
      <Empty icon="plug" title="This view could not be loaded">
        <button type="button" class="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </Empty>
    );
  };
}
