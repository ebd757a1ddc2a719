/** Writes the files that package managers and `install.sh` read, filled in from the data of one release. Pure. */

export interface Artefact {
  /** As in the table of targets: `linux-x64`. */
  readonly target: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReleaseData {
  readonly version: string;
  /**
   * The address of the releases: `https://…/releases`, laid out as GitHub does, or a folder as a
   * `file:` URL (for trying).
   */
  readonly url: string;
  readonly artefacts: readonly Artefact[];
}

/** `baseOf` is the address of this release's files. */
const baseOf = ({ url, version }: Pick<ReleaseData, "url" | "version">): string =>
  url.startsWith("file:") ? url : `${url}/download/v${version}`;

/** `latestOf` is the address of the newest release's `release.json`. */
const latestOf = (url: string): string =>
  url.startsWith("file:") ? `${url}/release.json` : `${url}/latest/download/release.json`;

/** The lines of SHA256SUMS. */
export const checksumsOf = (files: readonly Pick<Artefact, "file" | "sha256">[]): string =>
  files.map(({ file, sha256 }) => `${sha256}  ${file}`).join("\n");

/**
 * Fills `{{version}}`, `{{homepage}}`, `{{base}}`, `{{latest}}`, `{{checksums}}`, `{{url target}}` and
 * `{{sha256 target}}`. Throws for a name or a target that does not exist.
 */
export function fillTemplate(template: string, release: ReleaseData): string {
  const { version, url, artefacts } = release;
  const texts: Readonly<Record<string, string>> = {
    version,
    homepage: url.replace(/\/releases$/, ""),
    base: baseOf(release),
    latest: latestOf(url),
    checksums: checksumsOf(artefacts),
  };
  return template.replaceAll(/\{\{(\w+)(?: ([\w-]+))?\}\}/g, (_, name: string, target?: string) => {
    if (target === undefined) return texts[name] ?? unknown(name);
    const found = artefacts.find((one) => one.target === target) ?? unknown(target);
    if (name === "url") return `${baseOf(release)}/${found.file}`;
    return name === "sha256" ? found.sha256 : unknown(name);
  });
}

function unknown(name: string): never {
  throw new Error(`a template asks for "${name}", which this release does not have`);
}

/** `release.json`: version, files, sizes and checksums, for programs. */
export const releaseJson = ({ version, artefacts }: ReleaseData): string =>
  `${JSON.stringify({ version, artefacts }, null, 2)}\n`;
