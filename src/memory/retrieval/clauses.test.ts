import { expect, test } from "bun:test";
import { clausesOf } from "./search.ts";

test.each([
  { name: "a single question has no parts", text: "which port does the API use", parts: [] },
  {
    name: "two questions are asked one by one",
    text: "which port does the API use? who owns the deploy script?",
    parts: ["which port does the API use", "who owns the deploy script"],
  },
  {
    name: "a conjunction splits",
    text: "why did we leave Redis and what replaced it",
    parts: ["why did we leave Redis", "what replaced it"],
  },
  {
    name: "a list within one question stays whole",
    text: "which port, host and user does the API need",
    parts: [],
  },
  {
    name: "after a comma a second question may begin",
    text: "who may deploy, where is the script",
    parts: ["who may deploy", "where is the script"],
  },
  {
    name: "what says more about the same stays with it",
    text: "which service is called by the API and is deployed by Dr. Weber, which nobody likes",
    parts: [],
  },
  { name: "a part of one word is not asked alone", text: "redis and postgres", parts: [] },
  {
    name: "never more than three",
    text: "one thing here? two things here? three things here? four things here?",
    parts: ["one thing here", "two things here", "three things here"],
  },
  { name: "an identifier with a dot stays whole", text: "what is in config.toml here", parts: [] },
  { name: "punctuation only is nothing", text: "?!?, and, ;;", parts: [] },
])("$name", ({ text, parts }) => {
  expect(clausesOf(text)).toEqual(parts);
});
