import { expect, test } from "bun:test";
import { openTestServer } from "../../../test/support/server.ts";
import { createClient } from "../index.ts";
import { failureIn } from "./client.ts";

test("the client asks every kind of route, and a refusal says its type", async () => {
  using server = openTestServer();
  server.t.add({ uri: "mem://user/entities/a", l0: "A is a service" });
  const client = createClient(async (input, init) =>
    server.app.request(input, init, { transport: "socket" }),
  );
  const uri = "mem://user/entities/a";
  const edited = await client.nodes.$patch({ query: { uri }, json: { importance: 5 } });
  expect((await edited.json()).importance).toBe(5);
  const lost = await client.nodes.$get({ query: { uri: "mem://user/entities/none" } });
  expect(failureIn(await lost.text())).toMatchObject({ type: "memory.not-found" });
});

test.each(["", "<html>", "[]", "{}", '{"error":"x"}', '{"error":{"type":1}}', "null"])(
  "%p is no failure of ours",
  (text) => {
    expect(failureIn(text)).toBeNull();
  },
);
