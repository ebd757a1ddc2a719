/** Looks at a release that was built elsewhere: its checksums, and whether its programs start on this machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Of } from "./pack.ts";
import type { Artefact } from "./packaging.ts";
import { programName, releaseTargets, type ReleaseTarget } from "./targets.ts";
import { verify, type Verdict } from "./verify.ts";

export interface Checked {
  readonly target: string;
  readonly verdict: Verdict;
}

/** One verdict for each archive; throws when the folder holds no release. */
export async function checkRelease(folder: string): Promise<readonly Checked[]> {
  const { version, artefacts } = (await Bun.file(join(folder, "release.json")).json()) as {
    readonly version: string;
    readonly artefacts: readonly Artefact[];
  };
  const checked: Checked[] = [];
  for (const artefact of artefacts) {
    const target = releaseTargets.find(({ name }) => name === artefact.target);
    if (target === undefined) throw new Error(`it has a platform "${artefact.target}"`);
    const verdict = await checkArchive(join(folder, artefact.file), {
      artefact,
      target,
      version,
    });
    checked.push({ target: target.name, verdict });
  }
  return checked;
}

interface Expected {
  readonly artefact: Artefact;
  readonly target: ReleaseTarget;
  readonly version: string;
}

async function checkArchive(file: string, expected: Expected): Promise<Verdict> {
  const { artefact, target, version } = expected;
  if (sha256Of(await Bun.file(file).bytes()) !== artefact.sha256)
    return { type: "failed", why: "its checksum is not the release's" };
  const folder = mkdtempSync(join(tmpdir(), "continuity-release-"));
  try {
    const unpack =
      target.os === "windows" ? unzipped(file, folder) : ["tar", "-xzf", file, "-C", folder];
    const { exitCode, stderr } = Bun.spawnSync([...unpack]);
    if (exitCode !== 0) throw new Error(stderr.toString().trim());
    return await verify({ target, program: join(folder, programName(target)) }, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Windows' own tar reads zips. */
const unzipped = (file: string, folder: string): readonly string[] =>
  process.platform === "win32"
    ? ["tar", "-xf", file, "-C", folder]
    : ["unzip", "-qo", file, "-d", folder];
