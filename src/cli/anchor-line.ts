/** Code that a memory names, in one line: for `show`. */
import type { InferResponseType } from "hono/client";
import type { Client } from "./context.ts";
import { safeLine } from "./text.ts";

type Anchor = InferResponseType<Client["nodes"]["$get"], 200>["anchors"][number];

/** `changed  src/rows.ts parseRow  since 1a2b3c4`. */
export function anchorLine({ path, symbol, state, commit, branch, moved_to: to }: Anchor): string {
  const at = commit === null ? "" : `  ${state === "fresh" ? "at" : "since"} ${commit.slice(0, 7)}`;
  const place = `${path}${symbol === null ? "" : ` ${symbol}`}`;
  const moved = state === "moved" && to !== null ? `  now ${to}` : "";
  const only = branch === null ? "" : `  only on branch ${branch}`;
  return safeLine(`${state}  ${place}${moved}${at}${only}`);
}
