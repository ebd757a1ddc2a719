import { expect, test } from "bun:test";
import { applyNet } from "./direct.ts";

test("what config.toml says wins over the environment, in both spellings", () => {
  const env = { HTTPS_PROXY: "http://other:1", no_proxy: "other", NODE_EXTRA_CA_CERTS: "/other" };
  applyNet({ proxy: "http://proxy:3128", noProxy: ["a.example", ".b"], caFile: "/ca.pem" }, env);
  expect(env).toEqual({
    HTTP_PROXY: "http://proxy:3128",
    http_proxy: "http://proxy:3128",
    HTTPS_PROXY: "http://proxy:3128",
    https_proxy: "http://proxy:3128",
    NO_PROXY: "a.example,.b",
    no_proxy: "a.example,.b",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
  } as typeof env);
});

test("what it leaves open stays: `serve` keeps the variables of the person who started it", () => {
  const env = { HTTPS_PROXY: "http://mine:1" };
  applyNet({ proxy: "", noProxy: [], caFile: "" }, env);
  expect(env).toEqual({ HTTPS_PROXY: "http://mine:1" });
});
