/** What can be done with what is marked in a list: a bar below it, with a key for each. */
import { useSignal } from "@preact/signals";
import { forgetMany, reviewMany, working, type Target } from "../state/bulk.ts";
import { useKeys } from "../state/keys.ts";
import { Key } from "./badges.tsx";
import { Confirm } from "./confirm.tsx";
import { count as counted, plural } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";

export interface BulkBarProps {
  readonly count: number;
  /** Memories in the list; null where it cannot be taken as a whole. */
  readonly total: number | null;
  readonly isReview: boolean;
  readonly target: () => Target;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

export function BulkBar({ count, total, isReview, target, onAll, onClear }: BulkBarProps) {
  const isAsking = useSignal(false);
  const ask = (): void => void (isAsking.value = true);
  const decide = (action: "accept" | "reject") => (): void => {
    void reviewMany(target(), count, action);
    onClear();
  };
  const [accept, reject] = [decide("accept"), decide("reject")];
  const decisions = isReview ? { a: accept, r: reject } : {};
  useKeys({ ...decisions, "#": ask, Delete: ask, Escape: onClear });
  const many = plural(count, "memory", "memories");
  return (
    <section class="bulk-bar" aria-label="Selected memories">
      <span class="bulk-count num" role="status">
        {counted(count)} selected
      </span>
      {total !== null && count < total && (
        <button type="button" class="tool" onClick={onAll}>
          Select all {counted(total)} <Key keys="*" />
        </button>
      )}
      <span class="grow" />
      {isReview && <Act title="Accept" icon="check" keys="a" run={accept} />}
      {isReview && <Act title="Reject" icon="cross" keys="r" run={reject} />}
      <Act title="Forget" icon="trash" keys="#" run={ask} />
      <Act title="Clear" icon="cross" keys="Esc" run={onClear} />
      {isAsking.value && (
        <Confirm
          label="Forget memories?"
          title={`Forget ${many}?`}
          verb={`Forget ${many}`}
          onClose={() => (isAsking.value = false)}
          onDone={() => {
            forgetMany(target(), count);
            onClear();
          }}
        >
          <p class="small soft">
            Permanently deletes them and every copy of their texts. You can undo for 6 seconds;
            closing the page before then keeps them.
          </p>
        </Confirm>
      )}
    </section>
  );
}

interface ActProps {
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly run: () => void;
}

const Act = ({ title, icon, keys, run }: ActProps) => (
  <button type="button" class="tool" onClick={run}>
    <Icon name={icon} /> <span class="tool-label">{title}</span> <Key keys={keys} />
  </button>
);

/** How far a change of many is; nothing while none is under way. */
export const Working = () => {
  const now = working.value;
  if (now === null || now.total === 0) return null;
  const { done, total, stop } = now;
  return (
    <div class="bulk-working" role="status">
      <progress value={done} max={total} aria-label="Progress" />
      <span class="num small">
        {counted(done)} of {counted(total)}
      </span>
      <button type="button" class="tool" onClick={stop}>
        Stop
      </button>
    </div>
  );
};
