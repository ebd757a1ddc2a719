/** Builds one target, makes it fit to be started there, and packs it with the licences. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { compileProgram } from "../build.ts";
import { tarGz, zip, type PackedFile } from "./archive.ts";
import { inspectProgram } from "./inspect.ts";
import { signatureState, signedAdHoc } from "./mach-o.ts";
import { archiveName, programName, type ReleaseTarget } from "./targets.ts";

export interface Built {
  readonly target: ReleaseTarget;
  /** Path of the program, as it is in the archive. */
  readonly program: string;
  readonly programBytes: number;
  readonly hasBytecode: boolean;
  readonly archive: Uint8Array<ArrayBuffer>;
  /** File name of the archive. */
  readonly file: string;
  readonly sha256: string;
}

export interface PackOptions {
  readonly version: string;
  /** The folder that `withStage` gave. */
  readonly stage: string;
  /** Path of Bun's executable for the target. */
  readonly runtime: string;
  /** Folder for programs, one folder for each target. */
  readonly folder: string;
  /** Files that go into every archive beside the program, by their path in it. */
  readonly extras: readonly PackedFile[];
}

export const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Is the target this very machine? */
const isHere = ({ os, arch, libc }: ReleaseTarget): boolean =>
  os === (process.platform === "win32" ? "windows" : process.platform) &&
  arch === process.arch &&
  libc !== "musl";

/** Throws when the build fails or its result could not start on the target. */
export async function packTarget(target: ReleaseTarget, options: PackOptions): Promise<Built> {
  const program = join(options.folder, target.name, programName(target));
  const hasBytecode = target.startsFromForeignBytecode || isHere(target);
  await compileProgram({
    stage: options.stage,
    outfile: program,
    bytecode: hasBytecode,
    foreign: { target: target.bunTarget, executablePath: options.runtime },
  });
  const bytes = await startable(program, target);
  const files = [
    { path: programName(target), bytes, isExecutable: true },
    ...options.extras,
  ] as const;
  const archive = target.os === "windows" ? zip(files) : tarGz(files);
  return {
    target,
    program,
    programBytes: bytes.length,
    hasBytecode,
    archive,
    file: archiveName(options.version, target),
    sha256: sha256Of(archive),
  };
}

/** The program's bytes, signed where a signature is needed and does not fit; compared with what the target asks for. */
async function startable(program: string, target: ReleaseTarget): Promise<Uint8Array> {
  let bytes: Uint8Array = await Bun.file(program).bytes();
  if (target.os === "darwin" && signatureState(bytes) !== "fits") {
    bytes = signedAdHoc(bytes);
    await Bun.write(program, bytes);
    chmodSync(program, 0o755);
  }
  const { os, arch, loader } = inspectProgram(bytes);
  const isMusl = loader?.includes("ld-musl") ?? false;
  if (os !== target.os || arch !== target.arch || isMusl !== (target.libc === "musl"))
    throw new Error(`${program} is for ${os} ${arch} with the loader ${loader ?? "of its system"}`);
  return bytes;
}
