/** Answers to a JSON-RPC batch, which leave together as one list. Must not know what the messages mean. */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

export interface Batches {
  /** Answers of these requests leave together, with what is answered already. */
  readonly begin: (ids: readonly (string | number)[], answered: readonly object[]) => void;
  /** True when the message waits for the rest of its batch, or has left with it. */
  readonly take: (message: JSONRPCMessage) => boolean;
  /** A request that may stay without an answer. */
  readonly leave: (id: string | number) => void;
}

interface Batch {
  readonly waiting: Set<string | number>;
  readonly answers: object[];
}

export function createBatches(send: (message: object) => void): Batches {
  const batchOf = new Map<string | number, Batch>();
  const settle = (batch: Batch): void => {
    if (batch.waiting.size === 0 && batch.answers.length > 0) send(batch.answers);
  };
  const leave = (id: string | number): Batch | undefined => {
    const batch = batchOf.get(id);
    batchOf.delete(id);
    batch?.waiting.delete(id);
    return batch;
  };
  return {
    begin: (ids, answered) => {
      const batch: Batch = { waiting: new Set(ids), answers: [...answered] };
      for (const id of ids) batchOf.set(id, batch);
      settle(batch);
    },
    take: (message) => {
      const id = "method" in message ? undefined : message.id;
      const batch = id === undefined ? undefined : leave(id);
      if (batch === undefined) return false;
      batch.answers.push(message);
      settle(batch);
      return true;
    },
    leave: (id) => {
      const batch = leave(id);
      if (batch !== undefined) settle(batch);
    },
  };
}
