/** `memory_tree`: one directory at a time. */
import type { z } from "zod";
import { treeRoot } from "#domain";
import { renderTree } from "#memory";
import type { treeInput } from "./schemas.ts";
import type { Tools } from "./tool.ts";

const entriesMax = 100;

/** Resolves to the entries of a directory as text. */
export async function listTree(
  { clients }: Tools,
  { uri }: z.output<typeof treeInput>,
): Promise<string> {
  const api = await clients.read();
  const query = { uri: uri ?? treeRoot, limit: `${entriesMax}` };
  const { items, next_cursor: more, ...tree } = await (await api.tree.$get({ query })).json();
  return renderTree(tree.uri, items, more !== null);
}
