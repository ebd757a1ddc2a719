/**
 * Reads tensors out of a safetensors file: eight bytes with the length of a JSON header, the header, then the numbers.
 * Only what is asked for is read, since a table of words has hundreds of megabytes of which a text needs kilobytes.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { err, ok, type Result } from "#kit";

export interface Tensors {
  /** Null when there is none of that name. */
  readonly shapeOf: (name: string) => readonly number[] | null;
  /** All numbers of a tensor as float32. Throws where the file has become shorter. */
  readonly all: (name: string) => Float32Array;
  /** One row of a matrix, copied into `into`, whose length is a row's. */
  readonly row: (name: string, index: number, into: Float32Array) => void;
  readonly close: () => void;
}

const headBytes = 8;
const headerBytesMax = 10_000_000;
/** A `bert.` in front of each name says that the file holds more than the encoder. */
const prefix = /^bert\./;

type Kind = "F32" | "F16" | "BF16";
const bytesOf: Readonly<Record<Kind, number>> = { F32: 4, F16: 2, BF16: 2 };

interface Tensor {
  readonly kind: Kind;
  readonly shape: readonly number[];
  /** Byte address in the file. */
  readonly at: number;
}

/** Error: in words, what is wrong with the file. The file stays open until `close`. */
export function openTensors(path: string): Result<Tensors, string> {
  const file = openSync(path, "r");
  const read = headerOf(file);
  if (!read.ok) {
    closeSync(file);
    return err(`${path}: ${read.error}`);
  }
  const tensors = read.value;
  const tensorOf = (name: string): Tensor => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`${path} has no tensor ${name}`);
    return tensor;
  };
  return ok({
    shapeOf: (name) => tensors.get(name)?.shape ?? null,
    all: (name) => {
      const { kind, shape, at } = tensorOf(name);
      const numbers = new Float32Array(sizeOf(shape));
      copyNumbers(file, { kind, at }, numbers);
      return numbers;
    },
    row: (name, index, into) => {
      const { kind, at } = tensorOf(name);
      copyNumbers(file, { kind, at: at + index * into.length * bytesOf[kind] }, into);
    },
    close: () => closeSync(file),
  });
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((all, one) => all * one, 1);

function headerOf(file: number): Result<ReadonlyMap<string, Tensor>, string> {
  const { size } = fstatSync(file);
  const head = Buffer.alloc(headBytes);
  if (readSync(file, head, 0, headBytes, 0) < headBytes) return err("it is too short");
  const length = Number(head.readBigUInt64LE());
  if (length > headerBytesMax || headBytes + length > size) return err("it is no safetensors file");
  const text = Buffer.alloc(length);
  readSync(file, text, 0, length, headBytes);
  const tensors = new Map<string, Tensor>();
  for (const [name, told] of Object.entries(jsonIn(text.toString("utf8")))) {
    if (name === "__metadata__") continue;
    const tensor = tensorIn(told, { from: headBytes + length, to: size });
    if (tensor !== null) tensors.set(name.replace(prefix, ""), tensor);
  }
  return tensors.size === 0 ? err("it holds no float tensor, or was cut off") : ok(tensors);
}

function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // Told as a file without tensors.
  }
}

/** Null for what is not made of floats (positions are integers), or does not lie within the file. */
function tensorIn(
  told: unknown,
  within: { readonly from: number; readonly to: number },
): Tensor | null {
  const { dtype, shape, data_offsets: offsets } = (told ?? {}) as Readonly<Record<string, unknown>>;
  if (dtype !== "F32" && dtype !== "F16" && dtype !== "BF16") return null;
  if (!isNumbers(shape) || !isNumbers(offsets)) return null;
  const [start = -1, end = -1] = offsets;
  const fits = start >= 0 && within.from + end <= within.to;
  if (!fits || end - start !== sizeOf(shape) * bytesOf[dtype]) return null;
  return { kind: dtype, shape, at: within.from + start };
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && Number(one) >= 0);

function copyNumbers(
  file: number,
  { kind, at }: Pick<Tensor, "kind" | "at">,
  into: Float32Array,
): void {
  if (kind === "F32")
    return readFully(file, at, new Uint8Array(into.buffer, into.byteOffset, into.byteLength));
  const bytes = new Uint8Array(into.length * bytesOf[kind]);
  readFully(file, at, bytes);
  const halves = new DataView(bytes.buffer);
  if (kind === "F16") {
    for (let i = 0; i < into.length; i += 1) into[i] = halves.getFloat16(2 * i, true);
    return;
  }
  // A bfloat16 is the upper half of a float32.
  const bits = new Uint32Array(into.buffer, into.byteOffset, into.length);
  for (let i = 0; i < into.length; i += 1) bits[i] = halves.getUint16(2 * i, true) << 16;
}

function readFully(file: number, from: number, into: Uint8Array): void {
  let done = 0;
  while (done < into.length) {
    const read = readSync(file, into, done, into.length - done, from + done);
    if (read === 0) throw new Error("the file of the model has become shorter");
    done += read;
  }
}
