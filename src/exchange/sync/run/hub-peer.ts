/** A team as the exchange of segments sees it: what is shared here goes out, what members wrote comes in. */
import type { SyncHead } from "#domain";
import type { Peer } from "./exchange.ts";
import type { TeamPort, TeamState } from "./hub-members.ts";

/** Items in one segment; the largest of them fit. */
const itemsMax = 200;

export function peerOf(
  state: () => TeamState,
  keep: (next: Partial<TeamState>) => void,
  port: TeamPort,
): Peer {
  let limit = itemsMax;
  let asked = { count: 0, cursor: 0 };
  const withHead = (head: SyncHead): readonly SyncHead[] => [
    ...state().heads.filter(({ device }) => device !== head.device),
    head,
  ];
  return {
    state: async () => ({ device: state().device, heads: state().heads }),
    begin: async () => undefined,
    end: async () => undefined,
    collect: async () => {
      const { project, cursor } = state();
      const { items, cursor: next, more } = await port.since(project.key, cursor, limit);
      asked = { count: items.length, cursor: next };
      return {
        entries: items.map((item, n) => ({ id: `${n}`, json: JSON.stringify(item) })),
        more: more && items.length === 0,
      };
    },
    sent: async (ids, head) => {
      const isAll = ids.length === asked.count;
      // Some did not fit into one segment: the cursor of fewer is asked for, and they are told twice.
      limit = isAll ? itemsMax : ids.length;
      keep({ heads: withHead(head), ...(isAll ? { cursor: asked.cursor } : {}) });
    },
    apply: async (entries, head, device) => {
      const { name } = state().devices.find((one) => one.device === device) ?? { name: device };
      if (device !== state().device)
        await port.accept({ member: device, name }, state().project.key, entries);
      if (head !== null) keep({ heads: withHead(head) });
      return true;
    },
  };
}
