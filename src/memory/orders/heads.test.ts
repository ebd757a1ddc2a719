/** Heads whose matter is a word, names quotes or claims, or ends before the next task; labels for later sessions. */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

const kept = (prompt: string): readonly string[] => ordersOf(turnOf(prompt)).map(({ l0 }) => l0);

test.each([
  ["always use single quotes in the yaml files", "always use single quotes in the yaml files"],
  ["always check the jwt claims in the gateway", "always check the jwt claims in the gateway"],
  ["never rename the states in the order enum", "never rename the states in the order enum"],
  ["always escape mentions in the chat export", "always escape mentions in the chat export"],
  ["I prefer vim", "I prefer vim"],
  ["ich bevorzuge Leerzeichen", "ich bevorzuge Leerzeichen"],
  ["je préfère pnpm", "je préfère pnpm"],
  ["prefiero tabuladores", "prefiero tabuladores"],
  ["eu prefiro vitest", "eu prefiro vitest"],
  ["мы предпочитаем табы", "мы предпочитаем табы"],
  ["we agreed to stay on node 22.1. can you bump the image?", "we agreed to stay on node 22.1."],
  [
    "we decided to pin react at 19.2. update the lockfile please",
    "we decided to pin react at 19.2.",
  ],
  [
    "decidimos que los ids se generan en el cliente. cambia el modelo",
    "decidimos que los ids se generan en el cliente.",
  ],
  [
    "decidimos que as senhas se guardam com argon2. muda o serviço",
    "decidimos que as senhas se guardam com argon2.",
  ],
  [
    "la clave es que los índices se crean fuera de la transacción. arregla la migración",
    "la clave es que los índices se crean fuera de la transacción.",
  ],
  [
    "the workaround is to set NODE_OPTIONS before the build; run it again please",
    "the workaround is to set NODE_OPTIONS before the build",
  ],
  [
    "der trick ist, den cache vorher zu leeren; starte den test nochmal",
    "der trick ist, den cache vorher zu leeren",
  ],
  [
    "l'astuce est de vider le cache avant; relance les tests",
    "l'astuce est de vider le cache avant",
  ],
  ["yesterday we decided to keep bookings in UTC", "we decided to keep bookings in UTC"],
  ["last week in the retro we decided to drop IE", "we decided to drop IE"],
  ["ayer decidimos guardar las reservas en UTC", "decidimos guardar las reservas en UTC"],
  ["вчера мы решили хранить брони в UTC", "мы решили хранить брони в UTC"],
  ["turns out the root cause was a stale lock file", "the root cause was a stale lock file"],
  [
    "we figured out that the trick is to warm the cache first",
    "the trick is to warm the cache first",
  ],
  ["heads-up for future sessions: the vpn drops at midnight", "the vpn drops at midnight"],
  ["heads up for upcoming chats: prices are in cents", "prices are in cents"],
  ["для следующих сессий: стенд перезапускается ночью", "стенд перезапускается ночью"],
  [
    "pour les prochaines sessions : le cluster est en lecture seule",
    "le cluster est en lecture seule",
  ],
  ["para próximas sesiones: el puerto es 9090", "el puerto es 9090"],
  ["für spätere sitzungen: der cache liegt auf /mnt/fast", "der cache liegt auf /mnt/fast"],
])("%s", (prompt, line) => expect(kept(prompt)).toEqual([line]));

test.each([
  "i found out you never run the tests",
  "it turns out we decided nothing",
  "I prefer that",
  "I prefer yours",
  "prefiero eso",
  "ich bevorzuge das",
  'the wiki quotes "always use tabs"',
  "the linter claims we must use tabs always",
  "always use tabs, the style guide says",
  "heads up for the reviewer: this is big",
  "heads up: the tests are red",
  "we decided if we drop ie or not",
  "decidimos se vamos usar redis ou não",
  "the trick is to run it again",
])("keeps nothing: %s", (prompt) => expect(kept(prompt)).toEqual([]));
