/**
 * The fitted weights, as `train/reader.ts` wrote them: one byte a position, unpacked on first use.
 */
import { tableSize } from "./features.ts";
import type { ReaderWeights } from "./model.ts";
import fitted from "./weights.json";

let unpacked: ReaderWeights | null = null;

export function readerWeights(): ReaderWeights {
  unpacked ??= unpack(fitted);
  return unpacked;
}

/** What weights.json holds. `table`: signed bytes in base64, each times `scale`. */
export interface PackedWeights {
  readonly table: string;
  readonly scale: number;
  readonly bias: number;
  readonly second: readonly number[];
}

export function unpack({ table, scale, bias, second }: PackedWeights): ReaderWeights {
  const bytes = new Int8Array(Buffer.from(table, "base64"));
  const weights = new Float32Array(tableSize);
  for (let n = 0; n < tableSize; n += 1) weights[n] = (bytes[n] ?? 0) * scale;
  return { table: weights, bias, second };
}

export function packed({ table, bias, second }: ReaderWeights): PackedWeights {
  let largest = 1e-6;
  for (const value of table) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  const bytes = Int8Array.from(table, (value) => Math.round(value / scale));
  return {
    table: Buffer.from(bytes.buffer).toString("base64"),
    scale,
    bias,
    second: second.map((value) => Number(value.toPrecision(5))),
  };
}
