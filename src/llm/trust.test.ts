import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trustingFetch } from "./trust.ts";

const openssl = Bun.which("openssl");

test.skipIf(openssl === null)("a company's certificate is trusted once it is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-trust-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = "-subj /CN=localhost -addext subjectAltName=DNS:localhost";
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 ${subject} -keyout ${key} -out ${cert}`;
  const made = Bun.spawnSync([openssl ?? "", ...request.split(" ")]);
  expect(made.exitCode).toBe(0);
  const tls = { key: Bun.file(key), cert: Bun.file(cert) };
  const server = Bun.serve({ port: 0, tls, fetch: () => new Response("hello") });
  try {
    const url = `https://localhost:${server.port}/`;
    const env: Record<string, string> = {};
    const asked = trustingFetch(env);
    const codeOf = async (): Promise<unknown> => asked(url, {}).catch((error: unknown) => error);
    expect(await codeOf()).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    env["NODE_EXTRA_CA_CERTS"] = cert;
    expect(await (await asked(url, {})).text()).toBe("hello");
  } finally {
    await server.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a file that cannot be read is named, and nothing is sent", async () => {
  const asked = trustingFetch({ NODE_EXTRA_CA_CERTS: "/no/such/ca.pem" });
  const failure = await asked("https://127.0.0.1:9/", {}).catch((error: unknown) => error);
  expect(String(failure)).toContain("/no/such/ca.pem cannot be read: see net.ca_file");
});
