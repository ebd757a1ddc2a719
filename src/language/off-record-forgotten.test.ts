/** "Forget what I said about Kim, don't write it to memory": the denial beside an order to forget names no object. */
import { describe, expect, test } from "bun:test";
import { forbidsMemory } from "./off-record.ts";

describe("forbids", () => {
  test.each([
    "forget that bit about Zwrban, don't write to memory",
    "forget what I've just said about Zwrban. don't write to memory",
    "forget what I said about Zwrban, don't save",
    "vergiss was ich über Zwrban gesagt habe. nicht ins gedächtnis schreiben",
    "oublie ce que je viens de dire sur Zwrban, rien en mémoire",
    "oublie ce que je t'ai dit à propos de Zwrban, ne garde rien en mémoire",
    "olvida lo que acabo de decir sobre Zwrban, no escribas en memoria",
    "por favor olvida lo que acabo de escribir de Zwrban, que no quede en la memoria",
    "esqueça o que acabei de contar sobre Zwrban, não armazene",
    "esquece o que eu falei do Zwrban e não escreve na memória",
    "забудь то что я сейчас сказал про Верхнеуральск, в память не пиши. просто поправь тест",
    "забудь всё что я сказал про Zwrban в память не записывай",
    "забудь то, о чём я сейчас говорил про Zwrban, в память не клади",
    "то что я сейчас сказал про Zwrban забудь, в память не пиши",
    "забудь то что я сейчас сказал про Zwrban, не сохраняй",
    "请忘掉我刚才提到的茨瓦，不要记录",
    "把我刚才说的茨瓦忘掉，别写进记忆",
    "忘掉我刚才说的茨瓦。不要写进记忆",
    "さっき言った茨城さんのことは忘れて、メモリに書かないで。テストだけ直して",
    "今話した茨城さんの件は忘れて。メモリに書き込まないで",
    "茨城さんについて今言ったことは忘れて、記憶に残さないで",
  ])("%s", (typed) => {
    expect(forbidsMemory(typed)).toBe(true);
  });
});

describe("does not forbid", () => {
  test.each([
    "forget what I said about Redis, don't store, recompute",
    "forget what I said about the retry limit, don't cache the responses",
    "forget what I said about the memory limit, don't keep the buffers in memory",
    "forget what I told you about the port, it is 8081. don't log passwords",
    "forget what I said about storing: don't store until validated",
    "don't forget what I said about the build, and don't save the file",
    "the app forgets what I said, it doesn't store sessions",
    "vergiss was ich zum Limit gesagt habe, speicher die Datei nicht",
    "oublie ce que j'ai dit sur le cache, ne l'écris pas dans le fichier",
    "olvida lo que dije del caché, no escribas en el disco",
    "esquece o que eu disse do cache, não grava no disco",
    "не забудь что я говорил про Кима, не удаляй",
    "забудь то что я сказал про лимит памяти, не пиши тест",
    "忘掉我刚才说的缓存方案，不要写文件",
    "さっき言ったことを忘れないで、消さないで",
    "キャッシュのことは忘れて、保存しないで",
  ])("%s", (typed) => {
    expect(forbidsMemory(typed)).toBe(false);
  });
});
