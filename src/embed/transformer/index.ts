/** Transformers that were installed: fetched, opened, and run in a process of their own. Loaded on demand. */
export { describeModel, installModel } from "./install.ts";
export type { InstallDeps } from "./install.ts";
export { folderOf, installedModel, installedModels, knownModels } from "./models.ts";
export type { InstalledModel } from "./models.ts";
export { openTransformer } from "./open.ts";
export { serveTransformer } from "./serve.ts";
