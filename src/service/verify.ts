/** `verify`: holds a memory against the code that it names, or says that it holds for the code as it is now. */
import { anchorText } from "#domain";
import type { NodeJson } from "#api";
import { err, ok, type Result } from "#kit";
import type { ServiceDeps } from "./deps.ts";
import { type EditDeps, leafToChange, save } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { nodePage } from "./views.ts";

export interface VerifyApi {
  /** `folder`: of the working tree. `holds`: what stands there now is what the memory is about. */
  readonly verify: (ask: {
    readonly uri: string;
    readonly folder: string;
    readonly holds: boolean;
    readonly nowMs: number;
  }) => Promise<Result<NodeJson, ServiceError>>;
}

type Deps = EditDeps & Pick<ServiceDeps, "work">;

export const createVerifyApi = (deps: Deps): VerifyApi => ({ verify: (ask) => verify(deps, ask) });

async function verify(
  deps: Deps,
  { uri, folder, holds, nowMs }: Parameters<VerifyApi["verify"]>[0],
): Promise<Result<NodeJson, ServiceError>> {
  const found = leafToChange(deps, uri, null);
  if (!found.ok) return found;
  const { node } = found.value;
  const anchors = await deps.work.anchorsNow(node, { folder, holds });
  if (anchors === null) return err({ type: "code.no-repository", folder });
  const texts = anchors.map(anchorText);
  if (holds) {
    const cause = { atMs: nowMs, action: "reinforce", by: "user", reason: "verified" } as const;
    return ok(save(deps, node, { anchors: texts }, cause));
  }
  deps.store.nodes.anchor(node.id, texts);
  const after = deps.store.nodes.byId(node.id) ?? node;
  return ok(nodePage(deps, after));
}
