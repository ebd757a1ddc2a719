/** Typed texts that forbid to remember, in eight languages, and those that only look so. All texts are invented. */
import { describe, expect, test } from "bun:test";
import { forbidsMemory } from "./forbids-memory.ts";

describe("forbids", () => {
  test.each([
    "Do not remember this: I am applying elsewhere.",
    "Keep this out of your memory: Anna is ill.",
    "This must not be remembered. The budget is 40k.",
    "Merk dir das nicht: ich bewerbe mich woanders.",
    "Lass das bitte aus deinem Gedächtnis raus.",
    "Ne retiens pas ça : je postule ailleurs.",
    "Merci de ne pas mémoriser ceci : le budget est de 40k.",
    "No guardes esto en memoria: el puerto es 99.",
    "Deja esto fuera de tu memoria, por favor.",
    "Não guarde nada desta mensagem.",
    "Deixa isso fora da memória.",
    "Не запоминай это: я ищу другую работу.",
    "不要记住这个:我在找新工作。",
    "これは覚えないで:転職活動中です。",
  ])("%s", (text) => expect(forbidsMemory(text)).toBe(true));
});

describe("does not forbid", () => {
  test.each([
    "I don't remember this function, what does it do?",
    "do not forget to close the socket",
    "Don't store passwords in plain text, hash them.",
    "Ich merke mir das nicht, wo steht es?",
    "Das Formular merkt sich diese Werte nicht.",
    "Der Cache darf das nicht speichern.",
    "Vergiss nicht, den Socket zu schließen.",
    "Je ne me souviens pas de cette fonction.",
    "Le cache n'enregistre pas cette valeur.",
    "N'oublie pas de fermer le socket.",
    "No recuerdo esta función.",
    "La app no recuerda esto.",
    "Não lembro dessa função.",
    "O formulário não guarda isso.",
    "Я не помню эту функцию.",
    "Форма это не запоминает.",
    "我不记得这个函数了。",
    "应用不能记住这个。",
    "この関数は覚えていない。",
    "パスワードを平文で保存しないで。",
  ])("%s", (text) => expect(forbidsMemory(text)).toBe(false));
});
