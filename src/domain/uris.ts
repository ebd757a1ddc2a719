/** Places of the memory tree that more than one room has to know. */
import { categoryRules } from "./category.ts";

/** The root of the tree; every canonical URI starts with it. */
export const treeRoot = "mem://";

/**
 * How the user likes to work: one memory of many statements, kept by the program itself, so that no single statement
 * may become part of it and it keeps its place.
 */
export const communicationUri = `${categoryRules.profile.root}/communication`;

/** True for a note of another program that says what was seen on the way: it belongs to the archive. */
export const isSentence = (uri: string): boolean => uri.includes("/sentences/");

/** True for the leaf of an exchange: what was said in one turn, prompt and answer together. */
export const isExchange = (uri: string): boolean => uri.includes("/exchanges/");
