/** What is known of each kind of upkeep: when it ran last, how long it took and what came of it. Kept in the store. */
import type { Store, UpkeepRun } from "#domain";

const stateMeta = "upkeep.state";

type State = Readonly<Record<string, UpkeepRun>>;

/** The last runs by task. Anything unreadable counts as never run. */
export function upkeepState({ admin }: Pick<Store, "admin">): State {
  const text = admin.getMeta(stateMeta);
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as State) : {};
  } catch {
    return {};
  }
}

/** Notes the last run of one task. */
export function saveRun(store: Pick<Store, "admin">, run: UpkeepRun): void {
  store.admin.setMeta(stateMeta, JSON.stringify({ ...upkeepState(store), [run.task]: run }));
}
