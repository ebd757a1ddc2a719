/**
 * The word classes of the local scorer together, and what takes their force away.
 *
 * All are patterns over the `plain` form of a sentence (plain-sentences.ts).
 */
import { any } from "./any.ts";
import { learnedWords } from "./learned-words.ts";
import { requestWords } from "./request-words.ts";
import { saidWords } from "./said-words.ts";

export const says = { ...learnedWords, ...saidWords, ...requestWords } as const;

export type WordClass = keyof typeof says;

/** Takes the force out of a claim that follows within a few words: "we have not decided", "it never clicked". */
export const negation =
  /(?:\bnot|n't|\bnever|\bneither|\bnone|\bnor|\bno longer|\bwithout|\bwhether|\bif we|\bhaven't|\bnicht|\bkein\w*)\s+(?:\w+\s+){0,2}$/u;

/** Technical nouns: with one of them a sentence is about work. */
export const technicalNouns = any(
  "api|apps?|auth|backend|branch|bucket|bug|build|cache|ci|class|client|cluster|code|codebase|column|component|config|container|cpu|crash|css|dashboard|data|database|dataset|db|deploy\\w*|docker|docs?|driver|endpoints?|env|errors?|exports?|features?|files?|firmware|flags?|framework|frontend|functions?|gateway|gpu|graph|heap|hooks?|http|index(?:es)?|infra|jobs?|kernel|layers?|library|lock|logs?|loss|memory|merge|metrics?|microservices?|migrations?|mock(?:s|ed)?|models?|modules?|network|nodes?|orm|outages?|packages?|parser|pipelines?|plugin|pods?|ports?|postgres|prod|production|proto\\w*|queries|query|queue|redis|reducer|release|repo|requests?|rest|retry|rollback|rows?|runtime|schemas?|screens?|scripts?|sdk|sensor|servers?|services?|shader|sql\\w*|staging|state|storage|tables?|tabs|spaces|tasks?|tenants?|terraform|tests?|threads?|timeouts?|tokens?|toolchain|training|types?|ui|validation|variables?|views?|worker|workflows?|yaml|callbacks?|grpc|json|commits?|linter|dependency|dependencies|engine|texture|physics|render\\w*|buffer|compiler|interface|crdts?|sync|billing|bundle|kafka|nats|mongo|sqlite|rocksdb|duckdb|spark",
);
