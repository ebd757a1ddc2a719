/** The bar above a view: its name, how much there is, and what belongs to it. */
import type { ComponentChildren } from "preact";
import { isInner, leave } from "../state/places.ts";
import { route } from "../state/router.ts";
import { isSidebarOpen } from "../state/panels.ts";
import { count as counted } from "./format.ts";
import { Icon } from "./icons.tsx";

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
