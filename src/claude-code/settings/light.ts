/** The light door: where the client lists what it runs, and what of that is ours. For a hook process. */
export { isOurServer, pluginPath, serverPath } from "./entries.ts";
export { serversPathFor, settingsPathFor } from "./places.ts";
