/** The whole page: menu, view, notices, and what may lie over them. */
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import {
  pendingForget,
  editing,
  leaveEdit,
  startEdit,
  subject,
  togglePin,
} from "./state/actions.ts";
import { connection } from "./state/connection.ts";
import { nextTheme } from "./state/display.ts";
import { type Keymap, useKeys } from "./state/keys.ts";
import { seen } from "./state/overlay.ts";
import { hrefOfPlace, isSidebarOpen, leave, panel, places, titleOf } from "./state/places.ts";
import { go, href, route } from "./state/router.ts";
import { undoLatest } from "./state/toasts.ts";
import { Empty } from "./parts/basics.tsx";
import { Locked, OfflineBar, Sidebar, Toaster, Top } from "./parts/frame.tsx";
import { Panels } from "./parts/panels.tsx";
import { Memories } from "./views/memories.tsx";
import { MemoryPage } from "./views/memory-pane.tsx";
import { Project } from "./views/project.tsx";
import { Prompts } from "./views/prompts.tsx";
import { Review } from "./views/review.tsx";
import { SessionPage, Sessions } from "./views/sessions.tsx";
import { Settings } from "./views/settings.tsx";
import { TimelinePage } from "./views/timeline.tsx";

const views: Readonly<Record<string, () => ComponentChild>> = {
  prompts: () => <Prompts />,
  memories: () => <Memories />,
  memory: () => <MemoryPage />,
  sessions: () => <Sessions />,
  session: () => (route.value.rest === "" ? <Sessions /> : <SessionPage />),
  timeline: () => <TimelinePage />,
  project: () => <Project />,
  review: () => <Review />,
  settings: () => <Settings />,
};

export function App() {
  const { view } = route.value;
  useKeys(globalKeys);
  // Before the next key, whose form would be closed again.
  useLayoutEffect(() => {
    isSidebarOpen.value = false;
    leaveEdit();
  }, [view]);
  // A memory has a page and a name of its own.
  const name = view === "memory" ? (subject.value?.l0 ?? "") : "";
  const title = name === "" ? titleOf(route.value) : shortened(name);
  useEffect(() => {
    document.title = title === undefined ? "Continuity" : `${title} · Continuity`;
  }, [title]);
  if (connection.value === "locked") return <Locked />;
  return (
    <>
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector<HTMLElement>("#main")?.focus()}
      >
        Skip to content
      </button>
      <Sidebar />
      <main class="main" id="main" tabIndex={-1}>
        {connection.value === "offline" && <OfflineBar />}
        {views[view]?.() ?? <Nowhere />}
      </main>
      <Toaster />
      <Panels />
    </>
  );
}

const titleCharsMax = 60;

const shortened = (name: string): string =>
  name.length <= titleCharsMax ? name : `${name.slice(0, titleCharsMax).trimEnd().toWellFormed()}…`;

const Nowhere = () => (
  <>
    <Top title="Not found" />
    <Empty icon="search" title="Page not found">
      <a href="#/">Go to Prompts</a>
    </Empty>
  </>
);

/** Does something with the chosen memory, if there is one. */
const withSubject = (run: (memory: NonNullable<typeof subject.value>) => void) => (): void => {
  const memory = subject.peek();
  if (memory !== null) run(seen(memory));
};

const askToForget = withSubject((memory) => {
  pendingForget.value = memory;
});

const globalKeys: Keymap = {
  ...Object.fromEntries(places.map((place) => [place.keys, () => go(hrefOfPlace(place))])),
  "/": () => go(href("memories", { find: "1" })),
  "?": () => (panel.value = "help"),
  n: () => (panel.value = "remember"),
  t: nextTheme,
  u: undoLatest,
  e: withSubject(startEdit),
  p: withSubject((memory) => void togglePin(memory)),
  "#": askToForget,
  Delete: askToForget,
  Escape: () => {
    if (editing.peek() !== null) editing.value = null;
    else leave();
  },
};
