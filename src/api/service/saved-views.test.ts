import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";

const address = "#/search?q=staging+port&status=active";

test("a view is kept under its name, replaced under the same name, and let go of", () => {
  using t = openTestService();
  t.service.saveView("Ports", address);
  t.service.saveView("Mine", "#/memories?list=pinned");
  t.service.saveView("Ports", "#/search?q=port");
  expect(t.service.savedViews().items).toEqual([
    { name: "Mine", address: "#/memories?list=pinned" },
    { name: "Ports", address: "#/search?q=port" },
  ]);
  t.service.saveView("Mine", null);
  expect(t.service.savedViews().items.map(({ name }) => name)).toEqual(["Ports"]);
});

test("neither a name nor a search keeps a secret", () => {
  using t = openTestService();
  const key = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  t.service.saveView(`Key ${key}`, `#/search?q=${key}`);
  expect(JSON.stringify(t.service.savedViews())).not.toContain("ghp_");
  expect(t.service.saveView("<private>x</private>", address).ok).toBe(false);
});

test("a view that repeats what is forgotten goes with it, and others stay", () => {
  using t = openTestService();
  const uri = "mem://user/entities/lodge";
  t.add({ uri, l0: "The lodge has the code 4711" });
  t.service.saveView("Lodge", "#/search?q=The+lodge+has+the+code+4711");
  t.service.saveView("Ports", address);
  t.service.forget([uri], testNowMs);
  expect(t.service.savedViews().items.map(({ name }) => name)).toEqual(["Ports"]);
});

test("what stands there and is no list counts as none", () => {
  using t = openTestService();
  t.store.admin.setMeta("viewer.views", '{"a":');
  expect(t.service.savedViews().items).toEqual([]);
  expect(t.readOnly.saveView("A", address).ok).toBe(false);
});
