/** The frame around every view: the menu, the bar on top, notices, and what is shown without a daemon. */
import type { ComponentChildren } from "preact";
import { api, lookAgain, wasOpen } from "../state/connection.ts";
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
import { scope, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { route } from "../state/router.ts";
import { dismiss, toasts } from "../state/toasts.ts";
import { Button, Key, Tool } from "./basics.tsx";
import { ProjectOptions } from "./fields.tsx";
import { count as counted } from "./format.ts";
import { Icon, Mark } from "./icons.tsx";
import { Line } from "./text.tsx";

/** The menu: every screen, how many memories wait for review, and whether the line to the daemon is alive. */
export function Sidebar() {
  const { value: inbox } = useResource("review", () => api.review.$get({ query: { limit: "1" } }));
  return (
    <>
      {isSidebarOpen.value && <div class="shade" onClick={() => (isSidebarOpen.value = false)} />}
      <nav class={isSidebarOpen.value ? "sidebar open" : "sidebar"} aria-label="Views">
        <a class="brand line" href="#/">
          <Mark />
          <span>Continuity</span>
        </a>
        <button type="button" class="jump line" onClick={() => (panel.value = "palette")}>
          <Icon name="search" />
          <span class="grow">Jump to…</span>
          <Key keys="Ctrl K" />
        </button>
        <div class={scope.value === null ? "scope line" : "scope line on"}>
          <Icon name="folder" />
          <select
            aria-label="Scope"
            value={scope.value ?? ""}
            onChange={(event) => setScope(event.currentTarget.value || null)}
          >
            <option value="">All projects</option>
            <ProjectOptions chosen={scope.value} />
          </select>
        </div>
        <Places waiting={inbox === null ? 0 : inbox.total + inbox.contradicted.length} />
        <span class="grow" />
        <Foot />
      </nav>
    </>
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
              class="nav-link line"
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
const themeIcons = { system: "system", light: "sun", dark: "moon" } as const;

const Foot = () => (
  <div class="line sidebar-foot">
    <span class={`line tiny faint live-mark ${liveState.value}`} role="status">
      <span class={`dot round ${liveState.value === "live" ? "good" : "warn"}`} />
      {liveWords[liveState.value]}
    </span>
    <span class="grow" />
    <Tool
      icon={themeIcons[theme.value]}
      label={`Theme: ${theme.value}`}
      keys="t"
      onClick={nextTheme}
    />
    <Tool icon="help" label="Keyboard shortcuts" keys="?" onClick={() => (panel.value = "help")} />
  </div>
);

interface TopProps {
  readonly title: string;
  readonly count?: number | null;
  readonly children?: ComponentChildren;
}

/** The bar above a view: its name, how much there is, and what belongs to it. */
export const Top = ({ title, count = null, children }: TopProps) => (
  <header class="top line">
    <Tool
      class="menu-button"
      icon="menu"
      label="Menu"
      aria-expanded={isSidebarOpen.value}
      onClick={() => (isSidebarOpen.value = !isSidebarOpen.peek())}
    />
    {isInner(route.value) && (
      <Tool class="back-button" icon="left" label="Back" title="Back (Esc)" onClick={leave} />
    )}
    <h1>{title}</h1>
    {count !== null && <span class="top-count small faint num">{counted(count)}</span>}
    <div class="top-rest line">{children}</div>
  </header>
);

interface PageProps extends TopProps {
  /** The rest of the bar. */
  readonly aside?: ComponentChildren;
}

/** A view that scrolls as a whole below its bar. */
export const Page = ({ aside, children, ...top }: PageProps) => (
  <>
    <Top {...top}>{aside}</Top>
    <div class="scroll">{children}</div>
  </>
);

/** Notices at the edge of the page. */
export const Toaster = () => (
  <div class="toaster" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, tone, undo, to }, at) => (
      <div key={id} class={`toast line ${tone}`}>
        <span class="grow">
          <Line text={text} />
        </span>
        {to !== null && (
          <a class="button" href={to}>
            Open
          </a>
        )}
        {undo !== null && (
          <Button
            onClick={() => {
              dismiss(id);
              undo();
            }}
          >
            Undo {at === toasts.value.length - 1 && <Key keys="u" />}
          </Button>
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
  <div class="offline line small warn" role="alert">
    <Icon name="plug" />
    <span class="grow">
      The daemon does not answer. It stops when idle; <code>continuity ui</code> starts it again.
    </span>
    <Button onClick={() => void lookAgain()}>Try again</Button>
  </div>
);
