/**
 * A software bill of materials in CycloneDX 1.6: the runtime, every package that can be compiled in (the lock file's
 * production part), the embedding model and the derived secret rules. The same release gives the same bytes: no time,
 * and a serial number that is a hash.
 */
import type { Lock } from "./runtimes.ts";

export interface SbomInput {
  readonly version: string;
  readonly lock: Lock;
  /** Direct dependencies, by name. */
  readonly dependencies: readonly string[];
  readonly bunVersion: string;
  readonly model: { readonly name: string; readonly sha256: string };
  /** Files of the release and their checksums, which tie this document to them. */
  readonly artefacts: readonly { readonly file: string; readonly sha256: string }[];
}

interface Component {
  readonly type: "library" | "platform" | "machine-learning-model" | "data";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly [more: string]: unknown;
}

const prefix = "node_modules/";
const license = (id: string) => [{ license: { id } }];
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The document, ready for JSON. */
export function sbomOf(input: SbomInput): Readonly<Record<string, unknown>> {
  const packages = compiledPackages(input.lock);
  const self = `continuity@${input.version}`;
  const components = [...packages.map(packageComponent), ...otherComponents(input)];
  const refOf = new Map(packages.map((one) => [one.path, purlOf(one.name, one.version)]));
  const refs = (names: readonly string[], from = ""): readonly string[] =>
    names.flatMap((name) => found(refOf, name, from) ?? []).toSorted();
  const others = otherComponents(input).map((one) => one["bom-ref"]);
  const body = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": self,
        name: "continuity",
        version: input.version,
        licenses: license("MIT"),
        properties: input.artefacts.map(({ file, sha256 }) => ({
          name: `continuity:sha256:${file}`,
          value: sha256,
        })),
      },
    },
    components,
    dependencies: [
      { ref: self, dependsOn: [...refs(input.dependencies), ...others] },
      ...packages.map((one) => ({
        ref: purlOf(one.name, one.version),
        dependsOn: refs(one.dependencies, one.path),
      })),
    ],
  };
  return { ...body, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}` };
}

/** What a package means by a name: its own copy, else that of a folder above it. */
function found(refOf: ReadonlyMap<string, string>, name: string, from: string): string | null {
  const own = refOf.get(`${from === "" ? "" : `${from}/`}${prefix}${name}`);
  if (own !== undefined || from === "") return own ?? null;
  return found(refOf, name, from.slice(0, Math.max(0, from.lastIndexOf(`/${prefix}`))));
}

interface CompiledPackage {
  /** Its folder in the tree of packages. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly integrity: string;
  readonly dependencies: readonly string[];
}

/** Packages that are not for development only, by name. */
function compiledPackages(lock: Lock): readonly CompiledPackage[] {
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.startsWith(prefix) && dev !== true)
    .map(([path, found]) => ({
      path,
      name: path.slice(path.lastIndexOf(prefix) + prefix.length),
      version: found.version ?? "",
      license: found.license ?? "",
      integrity: found.integrity ?? "",
      dependencies: Object.keys(found.dependencies ?? {}),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const packageComponent = (one: CompiledPackage): Component => ({
  type: "library",
  "bom-ref": purlOf(one.name, one.version),
  name: one.name,
  version: one.version,
  purl: purlOf(one.name, one.version),
  licenses: license(one.license),
  hashes: [{ alg: "SHA-512", content: hexOf(one.integrity) }],
});

const otherComponents = ({ bunVersion, model }: SbomInput): readonly Component[] => [
  {
    type: "platform",
    "bom-ref": `bun@${bunVersion}`,
    name: "bun",
    version: bunVersion,
    purl: `pkg:npm/bun@${bunVersion}`,
    licenses: license("MIT"),
  },
  {
    type: "machine-learning-model",
    "bom-ref": model.name,
    name: model.name,
    version: model.sha256.slice(0, 12),
    hashes: [{ alg: "SHA-256", content: model.sha256 }],
  },
  {
    type: "data",
    "bom-ref": "gitleaks-rules",
    name: "gitleaks rules",
    version: "8.30.1",
    purl: "pkg:github/gitleaks/gitleaks@v8.30.1",
    licenses: license("MIT"),
  },
];

/** `sha512-` and base64, as hexadecimal. */
const hexOf = (integrity: string): string =>
  Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");

/** A UUID (version 8: of one's own making) from a text. */
function uuidOf(text: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4] ?? "8";
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
