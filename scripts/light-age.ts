/** Bundles `age-encryption` without what this program never uses of it. */
import type { BunPlugin } from "bun";

/** In place of modules that only other kinds of keys need. The base point is public: the number 9 (RFC 7748). */
const parts: Readonly<Record<string, string>> = {
  "@noble/post-quantum/hybrid.js": `
    export const MLKEM768P256 = {};
    export const MLKEM768X25519 = {};`,
  "@noble/curves/nist.js": "export const p256 = {};",
  "@noble/curves/ed25519.js": `
    const GuBytes = new Uint8Array(32);
    GuBytes[0] = 9;
    const unused = () => { throw new Error("this runtime has X25519 of its own"); };
    export const x25519 = { GuBytes, scalarMult: unused, scalarMultBase: unused };`,
};

/**
 * Our keys are X25519, which the runtime computes itself. Post-quantum keys, keys in hardware, and a second X25519 in
 * JavaScript would take 99 KB.
 */
export const lightAge: BunPlugin = {
  name: "light-age",
  setup: (build) => {
    const filter = /^@noble\/(?:post-quantum\/hybrid|curves\/(?:nist|ed25519))\.js$/;
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: "light-age" }));
    build.onLoad({ filter: /./, namespace: "light-age" }, ({ path }) => ({
      contents: parts[path] ?? "",
      loader: "js",
    }));
  },
};
