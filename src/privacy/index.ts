/** The privacy room: the one gate in front of disk, models and injections. */
export { createGate } from "./gate.ts";
export { openValueIn, withoutRetold, type Retold, type Standing } from "./retold.ts";
export { isSecretPath, loadGate, mayHoldSecret, stripBlocks } from "./light.ts";
export { readsSecrets } from "./secret-commands.ts";
