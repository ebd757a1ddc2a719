/** What has to follow a change of a node by hand: its vector, in the file and in memory. */
import type { MemoryNode } from "#domain";
import type { MemoryWriterDep, VectorIndexDep } from "./deps.ts";

/** Brings the vector in step with the node as it is now; what is put away has none. */
export function keepVector(
  { memoryWriter, vectors }: MemoryWriterDep & VectorIndexDep,
  node: MemoryNode,
): void {
  vectors.remove(node.id);
  if (node.status !== "retracted") memoryWriter.index(node);
}
