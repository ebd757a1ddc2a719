/** A part that most visits never open: its code comes when it is first looked at, and stays. */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { whenProved } from "../state/connection.ts";
import { Empty, Waiting } from "./states.tsx";

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
