/** `verify`: holds a memory against the code that it names, or says that it holds for the code as it is now. */
import { anchorText } from "#domain";
import type { NodeJson } from "#api";
import { err, ok, type Result } from "#kit";
import { leafToChange, save } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { nodePage } from "./views.ts";
import type { Context } from "./context.ts";

export interface VerifyApi {
  /** `folder`: of the working tree. `holds`: what stands there now is what the memory is about. */
  readonly verify: (ask: {
    readonly uri: string;
    readonly folder: string;
    readonly holds: boolean;
    readonly nowMs: number;
  }) => Promise<Result<NodeJson, ServiceError>>;
}

export const createVerifyApi = (context: Context): VerifyApi => ({
  verify: (ask) => verify(context, ask),
});

async function verify(
  context: Context,
  { uri, folder, holds, nowMs }: Parameters<VerifyApi["verify"]>[0],
): Promise<Result<NodeJson, ServiceError>> {
  const found = leafToChange(context, uri, null);
  if (!found.ok) return found;
  const { node } = found.value;
  const anchors = await context.work.anchorsNow(node, { folder, holds });
  if (anchors === null) return err({ type: "code.no-repository", folder });
  const texts = anchors.map(anchorText);
  if (holds) {
    const cause = { atMs: nowMs, action: "reinforce", by: "user", reason: "verified" } as const;
    return ok(save(context, node, { anchors: texts }, cause));
  }
  context.store.nodes.anchor(node.id, texts);
  const after = context.store.nodes.byId(node.id) ?? node;
  return ok(nodePage(context, after));
}
