/** "Stop saving things about me" forbids to remember, in eight languages; what a program stores is another matter. */
import { describe, expect, test } from "bun:test";
import { forbidsMemory } from "./off-record.ts";

describe("forbids", () => {
  test.each([
    "ok listen, stop saving stuff about my health!! i take Zorbal for migraines",
    "stop storing things about me",
    "stop remembering everything i say",
    "stop recording personal details about me",
    "please stop keeping notes about my family",
    "don't save stuff about my divorce",
    "hör auf, Sachen über meine Gesundheit zu speichern",
    "hör bitte auf dir Dinge über mich zu merken",
    "arrête d'enregistrer des trucs sur ma santé",
    "deja de guardar cosas sobre mi salud",
    "para de guardar coisas sobre a minha saúde",
    "smetti di salvare cose sulla mia salute",
    "перестань сохранять что-либо о моём здоровье",
    "хватит запоминать всё обо мне",
    "别再保存关于我健康的东西",
    "私の健康のことを保存するのはやめて",
    "stop recording my health info",
    "please stop storing my private details",
    "hör auf, meine Gesundheitsdaten zu speichern",
    "arrête d'enregistrer mes données de santé",
    "deja de guardar mis datos de salud",
    "para de guardar meus dados de saúde",
    "перестань записывать мои данные о здоровье",
    "别再记录我的健康信息",
    "私の健康情報を記録するのをやめて",
    "for this chat only, nothing to be saved: Kim needs a birthday page",
    "ignore this for your memory: the door code is a year",
  ])("%s", (typed) => expect(forbidsMemory(typed)).toBe(true));
});

describe("does not forbid", () => {
  test.each([
    "stop saving files in the temp folder",
    "stop storing things in memory, use the disk cache",
    "stop saving stuff about my app in localStorage",
    "there is nothing to be saved: skip the form",
    "ignore this for now: the linter is slow",
    "stop recording my screen",
    "don't save my personal settings in this file",
    "stop saving my personal access token in the repo",
    "the app must not store my medical records",
    "arrête d'enregistrer mes fichiers personnels dans le cache",
    "what does the app store about me",
    "hör auf, die Datei zu speichern",
  ])("%s", (typed) => expect(forbidsMemory(typed)).toBe(false));
});
