/** The menu: every screen, how many memories wait for review, and whether the line to the daemon is alive. */
import { useEffect } from "preact/hooks";
import { answerOf, api } from "../state/api.ts";
import { liveState } from "../state/live.ts";
import { isSidebarOpen, panel } from "../state/panels.ts";
import { hrefOfPlace, placeOf, places } from "../state/places.ts";
import { projects, wantProjects } from "../state/projects.ts";
import { scope, setScope } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { route } from "../state/router.ts";
import { nextTheme, theme } from "../state/theme.ts";
import { projectName } from "./format.ts";
import { Key } from "./badges.tsx";
import { Icon, Mark } from "./icons.tsx";

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
