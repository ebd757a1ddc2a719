import { expect, test } from "bun:test";
import { labelled, projectLabels } from "./projects.ts";

const projects = [
  { key: "github.com/clientA/app", name: "app" },
  { key: "github.com/clientB/app", name: "app" },
  { key: "gitlab.com/clientB/app", name: "app" },
  { key: "dir:681f0ac9118bb7fdf8412d9cdc4ff9f9", name: "app" },
  { key: "dir:0c1f0ac9118bb7fdf8412d9cdc4ff9f9", name: "App" },
  { key: "github.com/acme/shop", name: "shop" },
];

test("projects that share a name are told apart, and each label names its own when it is typed", () => {
  const labels = projectLabels(projects);
  expect(Object.fromEntries(labels)).toEqual({
    "github.com/clientA/app": "clientA/app",
    "github.com/clientB/app": "github.com/clientB/app",
    "gitlab.com/clientB/app": "gitlab.com/clientB/app",
    "dir:681f0ac9118bb7fdf8412d9cdc4ff9f9": "app:681f0ac9",
    "dir:0c1f0ac9118bb7fdf8412d9cdc4ff9f9": "App:0c1f0ac9",
  });
  for (const [key, label] of labels) expect(labelled(projects, label)).toEqual([key]);
  expect(labelled(projects, "CLIENTA/APP")).toEqual(["github.com/clientA/app"]);
  for (const text of ["nobody/app", "ap", "app", "entA/app", "shop:681f0ac9", "app:6", ":", "/"])
    expect(labelled(projects, text), text).toEqual([]);
});
