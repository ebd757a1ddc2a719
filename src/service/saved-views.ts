/** Searches and lists that a person keeps under a name: addresses within the viewer. Must not know what is in them. */
import type { SavedViewsJson } from "#api";
import type { GateDep, StoreDep } from "#domain";
import { err, ok, oneLine, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

export interface SavedViewsApi {
  /** In the order in which they were kept. */
  readonly savedViews: () => SavedViewsJson;
  /** Keeps an address under a name; one of that name is replaced. The address null lets go of it. */
  readonly saveView: (name: string, address: string | null) => Result<SavedViewsJson, ServiceError>;
}

type View = SavedViewsJson["items"][number];

const metaName = "viewer.views";
/** More than a menu can hold. */
const viewsMax = 50;

export const createSavedViewsApi = (
  deps: GateDep & StoreDep & { readonly writable: boolean },
): SavedViewsApi => ({
  savedViews: () => ({ items: viewsOf(deps) }),
  saveView: (given, address) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    const gated = deps.gate.clean(oneLine(given));
    const name = gated.text.trim();
    if (gated.whollyPrivate || name === "") return err({ type: "memory.private" });
    const others = viewsOf(deps).filter((view) => view.name !== name && view.name !== given);
    const kept = address === null ? null : addressOf(deps, address);
    const items = kept === null ? others : [...others, { name, address: kept }].slice(-viewsMax);
    deps.store.transaction(() => put(deps, items));
    return ok({ items });
  },
});

/** What was searched for may hold a secret as any text may. */
function addressOf({ gate }: GateDep, address: string): string {
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  const parameters = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name,
    gate.clean(value).text,
  ]);
  const text = new URLSearchParams(parameters).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Lets go of those that repeat one of these texts: what was forgotten must not stand in a search either. */
export function dropViews(deps: StoreDep, texts: readonly string[]): void {
  const views = viewsOf(deps);
  const lower = texts.map((text) => text.toLowerCase());
  const kept = views.filter(({ name, address }) => {
    const values = [...new URLSearchParams(address.split("?")[1] ?? "").values()];
    return ![name, ...values].some((said) =>
      lower.some((text) => said.toLowerCase().includes(text)),
    );
  });
  if (kept.length < views.length) put(deps, kept);
}

const put = ({ store }: StoreDep, views: readonly View[]): void =>
  store.admin.setMeta(metaName, views.length === 0 ? null : JSON.stringify(views));

/** What cannot be read counts as none. */
function viewsOf({ store }: StoreDep): readonly View[] {
  try {
    const value: unknown = JSON.parse(store.admin.getMeta(metaName) ?? "[]");
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return []; // JSON.parse is the only thing here that throws.
  }
}

const isView = (value: unknown): value is View =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "address" in value &&
  typeof value.address === "string";
