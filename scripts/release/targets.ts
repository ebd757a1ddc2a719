/** The platforms that are released: what each is called, which runtime it carries, how it is packed. A table. */

export interface ReleaseTarget {
  /** As in file names: `linux-x64-musl`. */
  readonly name: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x64" | "arm64";
  readonly libc: "glibc" | "musl" | null;
  /** Bun's own name of it. */
  readonly bunTarget: Bun.Build.CompileTarget;
  /** The npm package that holds Bun's executable. */
  readonly runtimePackage: string;
  /**
   * A program whose bytecode was written on another platform has crashed at its start in versions of Bun before 1.4
   * (oven-sh/bun#18416, #24144, #24178). So bytecode goes only where this project has seen such a program start; without
   * it a hook takes about two milliseconds more.
   */
  readonly startsFromForeignBytecode: boolean;
}

/** Bun's x64 runtimes need SSE4.2 and choose wider instructions when they start: there are no separate baseline builds. */
export const releaseTargets: readonly ReleaseTarget[] = [
  {
    name: "linux-x64",
    os: "linux",
    arch: "x64",
    libc: "glibc",
    bunTarget: "bun-linux-x64",
    runtimePackage: "@oven/bun-linux-x64",
    startsFromForeignBytecode: true,
  },
  {
    name: "linux-arm64",
    os: "linux",
    arch: "arm64",
    libc: "glibc",
    bunTarget: "bun-linux-arm64",
    runtimePackage: "@oven/bun-linux-aarch64",
    startsFromForeignBytecode: true,
  },
  {
    name: "linux-x64-musl",
    os: "linux",
    arch: "x64",
    libc: "musl",
    bunTarget: "bun-linux-x64-musl",
    runtimePackage: "@oven/bun-linux-x64-musl",
    startsFromForeignBytecode: true,
  },
  {
    name: "linux-arm64-musl",
    os: "linux",
    arch: "arm64",
    libc: "musl",
    bunTarget: "bun-linux-arm64-musl",
    runtimePackage: "@oven/bun-linux-aarch64-musl",
    startsFromForeignBytecode: true,
  },
  {
    name: "darwin-arm64",
    os: "darwin",
    arch: "arm64",
    libc: null,
    bunTarget: "bun-darwin-arm64",
    runtimePackage: "@oven/bun-darwin-aarch64",
    startsFromForeignBytecode: false,
  },
  {
    name: "darwin-x64",
    os: "darwin",
    arch: "x64",
    libc: null,
    bunTarget: "bun-darwin-x64",
    runtimePackage: "@oven/bun-darwin-x64",
    startsFromForeignBytecode: false,
  },
  {
    name: "windows-x64",
    os: "windows",
    arch: "x64",
    libc: null,
    bunTarget: "bun-windows-x64",
    runtimePackage: "@oven/bun-windows-x64",
    startsFromForeignBytecode: false,
  },
];

/** The program's file name on that platform. */
export const programName = ({ os }: Pick<ReleaseTarget, "os">): string =>
  os === "windows" ? "continuity.exe" : "continuity";

/** The archive's file name; Windows opens zip files without further programs. */
export const archiveName = (version: string, { name, os }: ReleaseTarget): string =>
  `continuity-${version}-${name}.${os === "windows" ? "zip" : "tar.gz"}`;
