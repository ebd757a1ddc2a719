/** Tells the agent which parts of the memories that its save ended the save does not say. */
import { shortIdOf, type MemoryNode } from "#domain";
import { endedBy, lostPart } from "#memory";
import type { RememberedJson } from "../forms-memory.ts";
import type { Context } from "./context.ts";

/** Parts of what a memory took the place of at this time, by name or as the value of its slot. */
export const lostBy = (
  { store }: Context,
  { id, l0, l2 }: MemoryNode,
  atMs: number,
): RememberedJson["lost"] =>
  endedBy(store.nodes, id)
    .filter(({ status, validTo }) => status === "superseded" && validTo === atMs)
    .flatMap((old) => {
      const lost = lostPart(old.l2 ?? old.l0, `${l0}\n${l2 ?? ""}`);
      return lost === "" ? [] : [{ id: shortIdOf(old.id), uri: old.uri, l0: lost }];
    });
