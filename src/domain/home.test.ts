import { expect, test } from "bun:test";
import { homelessLine, homeRoot, userHome } from "./home.ts";

test.each([
  [{ CONTINUITY_HOME: "/data/c", HOME: "/home/dev" }, "/data/c"],
  [{ HOME: "/home/dev" }, "/home/dev/.continuity"],
  [{ HOME: "/home/dev/" }, "/home/dev/.continuity"],
  [{ HOME: "/" }, "/.continuity"],
  [{ HOME: "", USERPROFILE: String.raw`C:\Users\dev` }, String.raw`C:\Users\dev/.continuity`],
  [{ CONTINUITY_HOME: "", HOME: "/home/dev" }, "/home/dev/.continuity"],
])("%j: the home is %s", (env, root) => {
  expect(homeRoot(env)).toBe(root);
});

test.each([
  [{}, "set HOME or CONTINUITY_HOME"],
  [{ HOME: "" }, "set HOME or CONTINUITY_HOME"],
  [{ HOME: "home" }, "set HOME or CONTINUITY_HOME"],
  [{ HOME: "." }, "set HOME or CONTINUITY_HOME"],
  [{ HOME: "/home/dev", CONTINUITY_HOME: ".continuity" }, 'not ".continuity"'],
])("%j: none, never a folder of the project", (env, said) => {
  expect(homeRoot(env)).toBeNull();
  expect(homelessLine(env)).toContain(said);
});

test("a relative HOME gives way to an absolute USERPROFILE", () => {
  expect(userHome({ HOME: "rel", USERPROFILE: "/u" })).toBe("/u");
});
