/** What stands around every view: the menu, the bar on top, notices, and what is shown without a daemon. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { answerOf, api } from "../state/api.ts";
import { lookAgain, wasOpen } from "../state/connection.ts";
import { nextTheme, theme } from "../state/display.ts";
import { liveState } from "../state/live.ts";
import {
  hrefOfPlace,
  isInner,
  isSidebarOpen,
  leave,
  panel,
  placeOf,
  places,
} from "../state/places.ts";
import { projects, scope, setScope, wantProjects } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { route } from "../state/router.ts";
import { toasts } from "../state/toasts.ts";
import { Key } from "./badges.tsx";
import { count as counted, projectName } from "./format.ts";
import { Icon, Mark } from "./icons.tsx";
import { Line } from "./text.tsx";

export function Sidebar() {
  const found = useResource("review", () => answerOf(api.review.$get({ query: { limit: "1" } })));
  const inbox = found.state.value.value;
  const total = inbox === null ? 0 : inbox.total + inbox.contradicted.length;
  return (
    <>
      {isSidebarOpen.value && <div class="shade" onClick={() => (isSidebarOpen.value = false)} />}
      <nav class={isSidebarOpen.value ? "sidebar open" : "sidebar"} aria-label="Views">
        <a class="brand" href="#/">
          <Mark />
          <span>Continuity</span>
        </a>
        <button type="button" class="jump" onClick={() => (panel.value = "palette")}>
          <Icon name="search" />
          <span class="grow">Jump to…</span>
          <Key keys="Ctrl K" />
        </button>
        <ScopeSwitch />
        <Places waiting={total} />
        <span class="grow" />
        <Foot />
      </nav>
    </>
  );
}

/** The project that every view is about. */
function ScopeSwitch() {
  useEffect(wantProjects, []);
  const key = scope.value;
  const known = projects.value.map((one) => one.key);
  const all = key === null || known.includes(key) ? known : [...known, key];
  return (
    <div class={key === null ? "scope" : "scope on"}>
      <Icon name="folder" />
      <select
        aria-label="Scope"
        value={key ?? ""}
        onChange={(event) => setScope(event.currentTarget.value || null)}
      >
        <option value="">All projects</option>
        {all.map((one) => (
          <option key={one} value={one}>
            {projectName(one, projects.value)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Review stands there while something waits for it. */
const Places = ({ waiting }: { waiting: number }) => {
  const here = placeOf(route.value);
  return (
    <ul class="nav">
      {places
        .filter(({ view }) => view !== "review" || waiting > 0 || here === view)
        .map((place) => (
          <li key={place.view}>
            <a
              class="nav-link"
              href={hrefOfPlace(place)}
              aria-current={here === place.view ? "page" : undefined}
            >
              <Icon name={place.icon} />
              <span class="grow">{place.title}</span>
              {place.view === "review" ? (
                <span class="nav-count num">{waiting}</span>
              ) : (
                <Key keys={place.keys} />
              )}
            </a>
          </li>
        ))}
    </ul>
  );
};

const liveWords = { connecting: "connecting", live: "live", lost: "reconnecting" } as const;

const LiveMark = () => (
  <span class={`live-mark ${liveState.value}`} role="status">
    <span class="live-dot" />
    {liveWords[liveState.value]}
  </span>
);

const themeIcons = { system: "system", light: "sun", dark: "moon" } as const;

const Foot = () => (
  <div class="sidebar-foot">
    <LiveMark />
    <span class="grow" />
    <button type="button" class="tool" title={`Theme: ${theme.value} (t)`} onClick={nextTheme}>
      <Icon name={themeIcons[theme.value]} />
      <span class="unseen">Theme: {theme.value}</span>
    </button>
    <button
      type="button"
      class="tool"
      title="Keyboard shortcuts (?)"
      onClick={() => (panel.value = "help")}
    >
      <span class="tool-mark">?</span>
      <span class="unseen">Keyboard shortcuts</span>
    </button>
  </div>
);

interface TopProps {
  readonly title: string;
  readonly count?: number | null;
  readonly children?: ComponentChildren;
}

export const Top = ({ title, count = null, children }: TopProps) => (
  <header class="top">
    <button
      type="button"
      class="tool menu-button"
      aria-expanded={isSidebarOpen.value}
      onClick={() => (isSidebarOpen.value = !isSidebarOpen.peek())}
    >
      <Icon name="menu" />
      <span class="unseen">Menu</span>
    </button>
    {isInner(route.value) && (
      <button type="button" class="tool back-button" title="Back (Esc)" onClick={leave}>
        <Icon name="left" />
        <span class="unseen">Back</span>
      </button>
    )}
    <h1>{title}</h1>
    {count !== null && <span class="top-count num">{counted(count)}</span>}
    <div class="top-rest">{children}</div>
  </header>
);

export const Toaster = () => (
  <div class="toaster" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, tone, undo, to }, at) => (
      <div key={id} class={tone === "bad" ? "toast bad" : "toast"}>
        <span class="grow">
          <Line text={text} />
        </span>
        {to !== null && (
          <a class="button toast-undo" href={to}>
            Open
          </a>
        )}
        {undo !== null && (
          <button
            type="button"
            class="button toast-undo"
            onClick={() => {
              toasts.value = toasts.peek().filter((one) => one.id !== id);
              undo();
            }}
          >
            Undo {at === toasts.value.length - 1 && <Key keys="u" />}
          </button>
        )}
      </div>
    ))}
  </div>
);

/** No token: this page was opened without its link, or its token has ended. */
export const Locked = () => (
  <main class="locked">
    <Mark />
    <h1>Open it from your terminal</h1>
    <p class="soft">
      {wasOpen.value
        ? "The daemon was restarted, or twelve hours have passed. A new link opens this page where it was:"
        : "This page needs a link from your terminal. The link works once:"}
    </p>
    <pre class="command mono">continuity ui</pre>
    <p class="small faint">
      Links expire after one minute. The page stays open for 12 hours, or until the daemon stops.
    </p>
  </main>
);

/** The daemon was there and is gone. What was loaded stays readable. */
export const OfflineBar = () => (
  <div class="offline" role="alert">
    <Icon name="plug" />
    <span class="grow">
      The daemon does not answer. It stops when idle; <code>continuity ui</code> starts it again.
    </span>
    <button type="button" class="button" onClick={() => void lookAgain()}>
      Try again
    </button>
  </div>
);
