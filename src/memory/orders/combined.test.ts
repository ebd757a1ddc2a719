/**
 * Orders made of their parts: every head of a language with every pointer, fact and continuation of it. What is kept
 * follows from the parts. All texts are invented.
 */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

interface Parts {
  /** Statements, without a mark at their end. */
  readonly facts: readonly string[];
  /** Orders whose object is the fact behind them. */
  readonly heads: readonly string[];
  /** Orders that point at what stands before them. */
  readonly pointers: readonly string[];
  /** Behind an order with its fact, or behind a pointer: other work, with what parts it from them. */
  readonly behind: readonly string[];
  /** The same behind a pointer alone. */
  readonly behindPointer: readonly string[];
  /** Objects that hold nothing of their own. */
  readonly empty: readonly string[];
}

const parts: Readonly<Record<string, Parts>> = {
  en: {
    facts: [
      "the staging box is called heron-4",
      "Tilda signs off the invoices",
      "our ports are 4402 and 4403",
    ],
    heads: [
      "remember that",
      "keep in mind that",
      "please note that",
      "can you remember that",
      "don't forget that",
    ],
    pointers: [
      "remember that",
      "keep that in mind",
      "don't forget it again",
      "please remember it",
      "note this",
    ],
    behind: [
      ". fix the header",
      "! now fix the header",
      ", then show me the diff",
      ", and fix the header",
      ". and fix the header please",
      ", why does the build hang?",
      "; can you fix the header?",
    ],
    behindPointer: [
      " please and fix the header",
      " and then commit",
      " and blorb the header",
      " please, and go on",
    ],
    empty: [
      "it again",
      "the last thing I said",
      "that again please",
      "for when you write mails for me",
    ],
  },
  de: {
    facts: [
      "der Testrechner heißt reiher-4",
      "Tilda zeichnet die Rechnungen ab",
      "wir nur Safari 15 unterstützen",
    ],
    heads: [
      "merk dir, dass",
      "denk bitte daran, dass",
      "vergiss nicht, dass",
      "kannst du dir merken, dass",
    ],
    pointers: [
      "merk dir das",
      "schreib dir das bitte auf",
      "vergiss das nicht",
      "bitte nicht wieder vergessen",
    ],
    behind: [
      ". reparier den Kopf",
      "! jetzt reparier den Kopf",
      ", und zeig mir den Diff",
      ", dann zeig mir den Diff",
      ", warum hängt der Build?",
      "; kannst du den Kopf reparieren?",
    ],
    behindPointer: [" und reparier den Kopf", " und dann weiter", ", und was kommt jetzt?"],
    empty: ["das noch mal", "es wieder"],
  },
  es: {
    facts: [
      "el servidor de pruebas se llama garza-4",
      "Leire firma las facturas",
      "usamos los puertos 4402 y 4403",
    ],
    heads: [
      "recuerda que",
      "ten en cuenta que",
      "no olvides que",
      "puedes recordar que",
      "guarda en memoria que",
    ],
    pointers: [
      "recuérdalo",
      "recuerda esto",
      "guarda esto en memoria",
      "que no se te olvide otra vez",
    ],
    behind: [
      ". arregla la cabecera",
      "! ahora arregla la cabecera",
      ", y enséñame el diff",
      ", luego muéstrame el diff",
      ", ¿por qué se cuelga la build?",
    ],
    behindPointer: [" y arregla la cabecera", " y luego sigue", " por favor y arregla la cabecera"],
    empty: ["otra vez", "eso otra vez"],
  },
  fr: {
    facts: [
      "le serveur de test s'appelle heron-4",
      "Tilda signe les factures",
      "on livre la Corse par Toulon",
    ],
    heads: [
      "retiens que",
      "garde en tête que",
      "n'oublie pas que",
      "tu peux retenir que",
      "note bien que",
    ],
    pointers: ["retiens ça", "garde ça en tête", "n'oublie plus ça", "note-le", "retiens-le"],
    behind: [
      ". répare l'en-tête",
      " ! maintenant répare l'en-tête",
      ", et montre-moi le diff",
      ", puis montre-moi le diff",
      ", pourquoi le build est bloqué ?",
      ". propose autre chose",
    ],
    behindPointer: [" et répare l'en-tête", " stp et répare l'en-tête", " et puis continue"],
    empty: ["encore une fois", "ça encore"],
  },
  pt: {
    facts: [
      "o servidor de teste se chama garça-4",
      "a Iracema assina as notas",
      "a gente usa as portas 4402 e 4403",
    ],
    heads: [
      "lembra que",
      "não esquece que",
      "tenha em mente que",
      "você pode lembrar que",
      "anota que",
    ],
    pointers: ["lembra disso", "não esquece mais isso", "anota isso", "guarda isso na memória"],
    behind: [
      ". arruma o cabeçalho",
      "! agora arruma o cabeçalho",
      ", e mostra o diff",
      ", depois mostra o diff",
      ", por que o build trava?",
      ". commita isso",
    ],
    behindPointer: [
      " e arruma o cabeçalho",
      " por favor e arruma o cabeçalho",
      " e depois continua",
    ],
    empty: ["isso de novo", "mais isso"],
  },
  ru: {
    facts: ["тестовый сервер зовут цапля-4", "счета подписывает Тильда", "у нас порты 4402 и 4403"],
    heads: [
      "запомни, что",
      "имей в виду, что",
      "не забудь, что",
      "можешь запомнить, что",
      "учти, что",
    ],
    pointers: ["запомни это", "больше не забывай об этом", "имей это в виду", "запиши себе это"],
    behind: [
      ". поправь шапку",
      "! теперь поправь шапку",
      ", и покажи мне дифф",
      ", потом покажи дифф",
      ", почему висит сборка?",
      ". закоммить это",
    ],
    behindPointer: [" и поправь шапку", " пожалуйста и поправь шапку", " а потом продолжай"],
    empty: ["это снова", "об этом опять"],
  },
  zh: {
    facts: ["测试服务器叫苍鹭4号", "发票由蒂尔达签字", "端口是4402和4403"],
    heads: ["记住", "请记住", "别忘了", "你能记住", "要记住："],
    pointers: ["记住这点", "把这点记下来", "这个要记着", "别再忘了", "请记住"],
    behind: [
      "。修一下页头",
      "！现在修一下页头",
      "，然后给我看差异",
      "，再改一下页头",
      ",然后改一下页头",
    ],
    behindPointer: ["，再改一下页头", "，然后继续", ",顺便改一下页头"],
    empty: ["这个", "刚才说的"],
  },
  ja: {
    facts: ["テストサーバーは鷺4です", "請求書はティルダが署名します", "ポートは4402と4403です"],
    heads: [],
    pointers: [
      "これを覚えて",
      "覚えておいて",
      "もう忘れないでね",
      "これを覚えておいてください",
      "メモしておいて",
    ],
    behind: [],
    behindPointer: ["、ヘッダーを直して", "、それから続けて", "。ヘッダーを直して"],
    empty: [],
  },
};

/** Without marks at the end. */
const bare = (text: string): string => text.replace(/[\s.。!！?？,，]+$/u, "");
const kept = (prompt: string): readonly string[] =>
  ordersOf(turnOf(prompt)).map(({ l1, l0 }) => bare(l1 ?? l0));

const isSpaced = (language: string): boolean => language !== "zh" && language !== "ja";

for (const [language, { facts, heads, pointers, behind, behindPointer, empty }] of Object.entries(
  parts,
)) {
  const gap = isSpaced(language) ? " " : "";
  const stop = isSpaced(language) ? ". " : "。";

  const stated = facts.flatMap((fact) =>
    heads.flatMap((head) => behind.map((rest) => [`${head}${gap}${fact}${rest}`, fact] as const)),
  );
  test.each(stated)(`${language}, a fact ends before the next task: %s`, (prompt, fact) => {
    expect(kept(prompt)).toEqual([fact]);
  });

  const pointed = facts.flatMap((fact) =>
    pointers.flatMap((pointer) =>
      ["", ...behind, ...behindPointer].map(
        (rest) => [`${fact}${stop}${pointer}${rest}`, fact] as const,
      ),
    ),
  );
  test.each(pointed)(`${language}, a pointer takes what stands before it: %s`, (prompt, fact) => {
    expect(kept(prompt)).toEqual([fact]);
  });

  const held = heads.flatMap((head) => empty.map((object) => `${head}${gap}${object}`));
  if (held.length > 0)
    test.each(held)(`${language}, words that hold nothing are no memory: %s`, (prompt) => {
      expect(kept(prompt)).toEqual([]);
    });
}
