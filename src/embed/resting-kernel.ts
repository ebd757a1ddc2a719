/** The kernel of the vector index, whose memory can lie on a shelf while nobody asks: whoever uses it takes it back. */
import type { VectorShelf } from "#domain";
import { createDotKernel, pageBytes, type DotKernel } from "./dot-kernel.ts";

/** The rows in the kernel's memory. */
export interface RowsPlace {
  readonly rowsAt: number;
  /** Bytes of all rows there are. */
  readonly length: () => number;
  /** Puts a row back that the shelf lost. */
  readonly restore: (nodeId: number, components: Int8Array) => void;
}

export interface RestingKernel {
  readonly kernel: () => DotKernel;
  /** All of its memory; not to be kept. */
  readonly bytes: () => Int8Array;
  readonly rest: (shelf: VectorShelf) => void;
}

export function createRestingKernel({ rowsAt, length, restore }: RowsPlace): RestingKernel {
  let own = createDotKernel();
  let away: VectorShelf | null = null;
  // One view of all, renewed when the memory has grown: a view per lookup would cost more than a product.
  let view: Int8Array | null = null;

  const rows = (): Uint8Array => new Uint8Array(own.memory.buffer, rowsAt, length());
  const takeBack = (shelf: VectorShelf): void => {
    away = null;
    ensureBytes(own.memory, rowsAt + length());
    if (shelf.take(rows())) return;
    for (const { nodeId, components } of shelf.stored()) restore(nodeId, components);
  };
  const kernel = (): DotKernel => {
    if (away !== null) takeBack(away);
    return own;
  };
  return {
    kernel,
    bytes: () => {
      const { buffer } = kernel().memory;
      if (view?.buffer !== buffer) view = new Int8Array(buffer);
      return view;
    },
    rest: (shelf) => {
      if (away !== null || length() === 0 || !shelf.put(rows())) return;
      away = shelf;
      view = null;
      own = createDotKernel();
    },
  };
}

/** Grows by at least half of what is there, so that filling the index copies each row a bounded number of times. */
export function ensureBytes(memory: WebAssembly.Memory, bytes: number): void {
  const have = memory.buffer.byteLength;
  if (bytes <= have) return;
  const wanted = Math.max(bytes, have * 1.5);
  memory.grow(Math.ceil((wanted - have) / pageBytes));
}
