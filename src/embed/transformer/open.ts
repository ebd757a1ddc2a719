/** Opens an installed model: its files, checked by size, become something that turns a text into a vector. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "#kit";
import { createEncoder } from "./encoder.ts";
import { modelFiles, type InstalledModel } from "./models.ts";
import { openTensors } from "./safetensors.ts";
import { checkTensors, shapeOf } from "./shape.ts";
import { createTokenizer } from "./tokenizer.ts";

export type TextKind = "query" | "document";

export interface Transformer {
  readonly dimension: number;
  /** Unit vector of a text. `kind` decides what the model wants in front of it. */
  readonly embed: (text: string, kind: TextKind) => Float32Array;
  readonly close: () => void;
}

type Wanted = Pick<InstalledModel, "documentPrefix" | "files" | "pooling" | "queryPrefix">;

/** Loads a model (some hundred milliseconds). Error: in words, why it cannot be used. */
export function openTransformer(folder: string, model: Wanted): Result<Transformer, string> {
  for (const name of modelFiles) {
    const bytes = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes !== model.files[name].bytes)
      return err(`${join(folder, name)} has ${bytes} bytes, not ${model.files[name].bytes}`);
  }
  const shape = shapeOf(readJson(join(folder, "config.json")));
  if (!shape.ok) return shape;
  const tokenizer = createTokenizer(readJson(join(folder, "tokenizer.json")));
  if (!tokenizer.ok) return tokenizer;
  if (tokenizer.value.size > shape.value.words)
    return err("its tokenizer knows more tokens than it has vectors for");
  const tensors = openTensors(join(folder, "model.safetensors"));
  if (!tensors.ok) return tensors;
  const checked = checkTensors(tensors.value, shape.value);
  if (!checked.ok) {
    tensors.value.close();
    return checked;
  }
  const encode = createEncoder(tensors.value, shape.value, model.pooling);
  const prefix = { query: model.queryPrefix, document: model.documentPrefix };
  return ok({
    dimension: shape.value.hidden,
    embed: (text, kind) => encode(tokenizer.value.ids(prefix[kind] + text, shape.value.positions)),
    close: tensors.value.close,
  });
}

/** Null for what is no JSON, which no reader of it takes for a model. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    return null;
  }
}
