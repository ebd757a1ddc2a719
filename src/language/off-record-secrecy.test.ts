/** Orders of secrecy forbid to remember, in eight languages; private code and confidential data are of the work. */
import { describe, expect, test } from "bun:test";
import { mayForbidMemory } from "./off-record-signs.ts";
import { forbidsMemory } from "./off-record.ts";

describe("forbids", () => {
  test.each([
    "keep this private, the pilot customer is Kim. generate the demo data",
    "Can we keep this one private? Kim buys us",
    "keep this confidential: the buyer is Kim",
    "please treat this confidentially, Kim buys us",
    "Kim buys us, but keep that to yourself",
    "this is strictly confidential, Kim buys us",
    "in confidence: Kim buys us",
    "I'm telling you this in confidence: Kim buys us",
    "this must not leave this chat: Kim buys us",
    "don't tell anyone, Kim buys us",
    "forget what i said about Kim, it was confidential",
    "kannst du das wieder vergessen, was ich über Kim gesagt habe? das war vertraulich",
    "oublie ce que je viens de dire sur Kim, c'était confidentiel",
    "olvida lo que dije sobre Kim, era confidencial",
    "behalte das bitte für dich, Kim kauft uns",
    "das muss geheim bleiben: Kim kauft uns",
    "Kim kauft uns. Bitte vertraulich behandeln!",
    "das darf nicht nach außen dringen, Kim kauft uns",
    "garde ça pour toi, Kim nous rachète",
    "c'est confidentiel, Kim nous rachète",
    "que ça ne sorte pas d'ici, Kim nous rachète",
    "que esto no salga de aquí, Kim nos compra",
    "guárdatelo para ti: Kim nos compra",
    "mantén esto en secreto, Kim nos compra",
    "que isso não saia daqui, Kim vai nos comprar",
    "mantenha isso em sigilo: Kim vai nos comprar",
    "это строго конфиденциально, нас покупает Ким",
    "держи это при себе, нас покупает Ким",
    "никому не говори, нас покупает Ким",
    "这件事请保密,买方是北辰",
    "买方是北辰,请保密",
    "这个不要外传,买方是北辰",
    "これは秘密です。買い手は北辰です",
    "口外しないでください。買い手は北辰です",
  ])("%s", (typed) => {
    expect(forbidsMemory(typed)).toBe(true);
    expect(mayForbidMemory(typed)).toBe(true);
  });
});

describe("does not forbid", () => {
  test.each([
    "make this field private",
    "forget what I said about the port, it is 5433",
    "forget the confidential flag, it is not needed",
    "this is private API",
    "this is private, use the accessor instead",
    "keep the key private in the module",
    "keep this method private",
    "Extract a helper for the date parsing. Keep it private.",
    "this header is internal, keep this private until v2",
    "keep everything private, only export parse()",
    "make it private, nobody else calls it",
    "private: true in the manifest please",
    "confidential: boolean",
    "add a checkbox: this is confidential",
    "this is confidential data, encrypt it",
    "treat this as a warning, not as an error",
    "keep this secret in the vault, not in the env file",
    "the login page must not tell anyone whether the account exists",
    "das ist privat, nimm den Getter",
    "vertraulich: ja/nein als Checkbox",
    "das ist für dich: lies die Doku",
    "ce mot de passe est confidentiel, masque-le dans les logs",
    "garde ça pour les tests",
    "que el token no salga de aquí al cliente",
    "mantén privado el constructor",
    "a requisição não sai daqui",
    "это приватный метод, используй геттер",
    "поле секретное, не выводи его в лог",
    "保密协议页面加一个复选框",
    "把这个标记为机密",
    "秘密鍵をリポジトリに入れないで",
    "このファイルは機密です、暗号化して",
  ])("%s", (typed) => expect(forbidsMemory(typed)).toBe(false));
});
