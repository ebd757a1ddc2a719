import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { mountTypeIn, networkFileSystemAt, networkName } from "./files.ts";

const fuse = 0x65735546;

test.each([
  { name: "ext4", type: 0xef53, mount: null, expected: null },
  { name: "tmpfs", type: 0x01021994, mount: null, expected: null },
  { name: "nfs", type: 0x6969, mount: null, expected: "nfs" },
  { name: "cifs", type: 0xff534d42, mount: null, expected: "cifs" },
  { name: "cifs with a sign", type: 0xff534d42 | 0, mount: null, expected: "cifs" },
  { name: "9p", type: 0x01021997, mount: null, expected: "9p" },
  { name: "sshfs", type: fuse, mount: "fuse.sshfs", expected: "fuse.sshfs" },
  { name: "an encrypted folder", type: fuse, mount: "fuse.gocryptfs", expected: null },
  { name: "FUSE of an unknown mount", type: fuse, mount: null, expected: null },
])("$name", ({ type, mount, expected }) => {
  expect(networkName(type, () => mount)).toBe(expected);
});

const mountinfo = `22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw
40 22 0:50 / /home/ada/remote rw,nosuid - fuse.sshfs ada@host:/ rw
41 22 0:51 / /home/ada/my\\040disk rw - fuse.rclone drive: rw
`;

test.each([
  { folder: "/home/ada/remote/x", expected: "fuse.sshfs" },
  { folder: "/home/ada/remote", expected: "fuse.sshfs" },
  { folder: "/home/ada/remote2", expected: "ext4" },
  { folder: "/home/ada/my disk/y", expected: "fuse.rclone" },
  { folder: "/srv", expected: "ext4" },
])("the mount above $folder is $expected", ({ folder, expected }) => {
  expect(mountTypeIn(mountinfo, folder)).toBe(expected);
});

test("a folder that is not there is not refused for its file system", () => {
  expect(networkFileSystemAt("/nowhere/at/all")).toBeNull();
  expect(networkFileSystemAt(tmpdir())).toBeNull();
});
