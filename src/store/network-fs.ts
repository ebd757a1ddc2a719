/**
 * Recognises network file systems, where SQLite's locks and shared memory cannot be trusted.
 * Knows Linux only: elsewhere the type numbers mean other things, and the answer is "local".
 */
import { readFileSync, realpathSync, statfsSync } from "node:fs";

/** `f_type` of statfs(2), from linux/magic.h and the file systems' own headers. */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "nfs",
  0x517b: "smb",
  0xff534d42: "cifs",
  0xfe534d42: "smb2",
  0x01021997: "9p",
  0x564c: "ncp",
  0x5346414f: "afs",
  0x6b414653: "afs",
  0x73757245: "coda",
  0x00c36400: "ceph",
  0x0bd00bd0: "lustre",
  0x47504653: "gpfs",
};

/** FUSE is one number for local and remote alike; its mount type tells them apart. */
const fuseType = 0x65735546;
const remoteFuse =
  /^fuse\.(sshfs|rclone|s3fs|goofys|gcsfuse|davfs2?|glusterfs|ceph(-fuse)?|smbnetfs|curlftpfs|blobfuse2?|juicefs)$/;

/** The name of the network file system behind a type number; null for a local one. Pure. */
export function networkName(type: number, mountType: () => string | null): string | null {
  // Some platforms sign-extend the 32-bit number.
  const unsigned = type >>> 0;
  const known = networkTypes[unsigned];
  if (known !== undefined) return known;
  if (unsigned !== fuseType) return null;
  const fuse = mountType();
  return fuse !== null && remoteFuse.test(fuse) ? fuse : null;
}

/** What network file system a folder lies on; null when local, unknown or not on Linux. Never throws. */
export function networkFileSystemAt(folder: string): string | null {
  if (process.platform !== "linux") return null;
  try {
    return networkName(statfsSync(folder).type, () => mountTypeOf(folder));
  } catch {
    return null; // A folder that cannot be asked about fails with a better reason when it is opened.
  }
}

/** The type of the longest mount point above a folder, from /proc/self/mountinfo; null when unreadable. */
function mountTypeOf(folder: string): string | null {
  try {
    return mountTypeIn(readFileSync("/proc/self/mountinfo", "utf8"), realpathSync(folder));
  } catch {
    return null;
  }
}

/** `36 35 98:0 / /mnt rw - fuse.sshfs host: rw`: mount point is the fifth field, the type follows the dash. Pure. */
export function mountTypeIn(mountinfo: string, folder: string): string | null {
  let best: Mount | null = null;
  for (const mount of mountinfo.split("\n").map(readMount)) {
    if (mount === null || !isAbove(mount.point, folder)) continue;
    if (best === null || mount.point.length >= best.point.length) best = mount;
  }
  return best?.type ?? null;
}

interface Mount {
  readonly point: string;
  readonly type: string;
}

function readMount(line: string): Mount | null {
  const [before = "", after = ""] = line.split(" - ");
  const point = unescapeMount(before.split(" ")[4] ?? "");
  const type = after.split(" ")[0] ?? "";
  return point === "" || type === "" ? null : { point, type };
}

const isAbove = (point: string, folder: string): boolean =>
  point === "/" || folder === point || folder.startsWith(`${point}/`);

/** Spaces and tabs in mount points are octal escapes. */
const unescapeMount = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
