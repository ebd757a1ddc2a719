import { expect, test } from "bun:test";
import { openTestServer } from "../../test/support/server.ts";
import { openApi } from "./openapi.ts";
import { routeTable } from "./route-table.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: unknown;
}

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const operations = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test("every route of the router is in the document, and nothing else is", async () => {
  using server = openTestServer();
  const served = server.app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const document = (await (await server.socket("/api/openapi.json")).json()) as Document;
  const told = operations(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(told.toSorted()).toEqual([...new Set(served)].toSorted());
});

test("every operation has a name of its own, every parameter of its route, and says when it is open", () => {
  const document = openApi("1.2.3") as unknown as Document;
  const all = operations(document);
  const names = all.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, method, operation } of all) {
    const route = routeTable.find(
      (one) =>
        one.method === method.toUpperCase() && one.path.replaceAll(/:(\w+)/g, "{$1}") === path,
    );
    expect(operation.summary, path).toBe(route?.summary ?? "");
    expect(operation.security !== undefined, path).toBe(route?.isOpen === true);
    expect(operation.requestBody !== undefined, path).toBe(route?.body !== undefined);
    const inPath = operation.parameters.filter((one) => one.in === "path");
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test("bounds and choices of a request are told as they are enforced", () => {
  const text = JSON.stringify(openApi("1.2.3"));
  for (const part of ['"accept"', '"reject"', '"most-used"', '"maxLength":10000', '"maximum":5'])
    expect(text).toContain(part);
  expect(text).not.toContain("$schema");
});
