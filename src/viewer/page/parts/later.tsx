/**
 * A view that the page does not begin with: its code comes when it is first looked at, or when the browser has nothing
 * else to do, and stays.
 */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { whenProved } from "../state/connection.ts";
import { Empty, Waiting } from "./states.tsx";

/** Between two views, where the browser does not tell when it is idle. */
const restMs = 200;

type State = { readonly View: ComponentType } | "waiting" | "failed";

const waiting: (() => Promise<void>)[] = [];

/** Loads what was not looked at yet, view by view, whenever the browser is idle: a first look waits for nothing. */
export function loadWhenIdle(): void {
  const ask = waiting.shift();
  if (ask === undefined) return;
  const next = (): void => void ask().then(loadWhenIdle);
  // Safari has no idle times to tell of.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(next);
  else setTimeout(next, restMs);
}

/** Loads once; after a failure, anew when it is shown again. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  const state = signal<State>("waiting");
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
  waiting.push(ask);
  return () => {
    useLayoutEffect(() => void ask(), []);
    const { value } = state;
    if (value === "waiting") return <Waiting />;
    if (value !== "failed") return <value.View />;
    return (
      <Empty icon="plug" title="This view could not be loaded">
        <button type="button" class="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </Empty>
    );
  };
}
