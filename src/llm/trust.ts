/** `fetch` that trusts what NODE_EXTRA_CA_CERTS names, also when it was set after the start: Bun reads it only then. */
import { readFileSync } from "node:fs";
import type { Fetch } from "./http.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The file is read with each request: it may be renewed, and a missing one is told where it matters. */
export const trustingFetch =
  (env: Env): Fetch =>
  async (url, init) => {
    const file = env["NODE_EXTRA_CA_CERTS"];
    if (!file) return fetch(url, init);
    // Naming it in an import is enough for the runtime to parse all of them (20 ms).
    const { rootCertificates } = await import("node:tls");
    return fetch(url, { ...init, tls: { ca: [...rootCertificates, certificatesIn(file)] } });
  };

function certificatesIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(`the certificates in ${file} cannot be read: see net.ca_file`);
  }
}
