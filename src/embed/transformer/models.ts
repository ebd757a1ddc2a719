/**
 * The models that can be installed by a short name, and what is written down beside the files of an installed one.
 * Sizes and checksums are those of the named revision on Hugging Face.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pooling } from "./encoder.ts";

export interface ModelFile {
  readonly bytes: number;
  readonly sha256: string;
}

export const modelFiles = ["config.json", "tokenizer.json", "model.safetensors"] as const;
type ModelFileName = (typeof modelFiles)[number];

export interface InstalledModel {
  readonly name: string;
  /** `owner/name` on Hugging Face. */
  readonly repository: string;
  /** The commit. */
  readonly revision: string;
  readonly licence: string;
  readonly dimension: number;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly files: Readonly<Record<ModelFileName, ModelFile>>;
}

export const knownModels: readonly InstalledModel[] = [
  {
    name: "multilingual-e5-small",
    repository: "intfloat/multilingual-e5-small",
    revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
    licence: "MIT",
    dimension: 384,
    pooling: "mean",
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
    files: {
      "config.json": {
        bytes: 655,
        sha256: "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959",
      },
      "tokenizer.json": {
        bytes: 17_082_730,
        sha256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
      },
      "model.safetensors": {
        bytes: 470_641_600,
        sha256: "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
      },
    },
  },
  {
    name: "bge-small-en-v1.5",
    repository: "BAAI/bge-small-en-v1.5",
    revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
    licence: "MIT",
    dimension: 384,
    pooling: "cls",
    queryPrefix: "Represent this sentence for searching relevant passages: ",
    documentPrefix: "",
    files: {
      "config.json": {
        bytes: 743,
        sha256: "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750",
      },
      "tokenizer.json": {
        bytes: 711_396,
        sha256: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
      },
      "model.safetensors": {
        bytes: 133_466_304,
        sha256: "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
      },
    },
  },
  {
    name: "all-MiniLM-L6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    licence: "Apache-2.0",
    dimension: 384,
    pooling: "mean",
    queryPrefix: "",
    documentPrefix: "",
    files: {
      "config.json": {
        bytes: 612,
        sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
      },
      "tokenizer.json": {
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
      },
      "model.safetensors": {
        bytes: 90_868_376,
        sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
      },
    },
  },
];

/** Written last: a folder without it is no installed model. */
export const manifest = "model.json";
/** Figures that were measured with it here, if they were (bench/calibrate.ts). */
export const calibrationFile = "calibration.json";

/** `owner/name` is one folder. Null for a name that could lead elsewhere. */
export const folderOf = (models: string, name: string): string | null =>
  /^(?:\w[\w.-]*\/)?\w[\w.-]*$/.test(name) && !name.includes("..")
    ? join(models, name.replace("/", "--"))
    : null;

/** Null where none is installed under that name. */
export function installedModel(models: string, name: string): InstalledModel | null {
  const folder = folderOf(models, name);
  if (folder === null || !existsSync(join(folder, manifest))) return null;
  try {
    return JSON.parse(readFileSync(join(folder, manifest), "utf8")) as InstalledModel;
  } catch {
    return null; // Half a file: installing it again mends that.
  }
}

/** All that are installed, in the order of their folders' names. */
export function installedModels(models: string): readonly InstalledModel[] {
  if (!existsSync(models)) return [];
  return readdirSync(models)
    .filter((folder) => !folder.startsWith("."))
    .toSorted()
    .flatMap((folder) => installedModel(models, folder.replace("--", "/")) ?? []);
}
