/** The door of the demonstration. */
export { runDemo } from "./run.ts";
