/** Which folders are believed to be the project that they say (docs/adr/0039). */
import type { PlaceJson } from "#api";
import type { StoreDep } from "#domain";
import { err, ok, type ClockDep, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

export interface PlacesApi {
  /** From now on sessions in this folder are given what is known of the project. */
  readonly trustPlace: (place: Omit<PlaceJson, "trusted">) => Result<PlaceJson, ServiceError>;
}

export const createPlacesApi = ({
  store,
  clock,
  writable,
}: StoreDep & ClockDep & { readonly writable: boolean }): PlacesApi => ({
  trustPlace: ({ project, root }) => {
    if (!writable) return err({ type: "service.read-only" });
    store.transaction(() => store.places.put(project, { root, isTrusted: true }, clock.nowMs()));
    return ok({ project, root, trusted: true });
  },
});
