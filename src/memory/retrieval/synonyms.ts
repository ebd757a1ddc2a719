/**
 * A small thesaurus of developer English, for queries whose words differ from the memory's. General vocabulary only:
 * nothing here comes from a project. Expansions count for little beside the words that were typed.
 *
 * Pure data and one lookup. Each line is a group of words that can stand for one another.
 */
import { isTool, toolFamilies } from "../language/index.ts";
import { roughStem } from "./words.ts";

const groups = `
wifi wireless wlan router network
network connection connectivity internet lan dns
problem issue bug defect fault trouble error failure
broken fails failing crash crashes down
fix solve repair resolve workaround
database db postgres postgresql mysql sqlite sql
cache redis memcached caching
queue broker kafka rabbitmq sqs messages
login signin authentication auth sso oauth session
log-in sign-in authentication login
password credentials secret passphrase
permission access role authorization rbac acl
deploy deployment release rollout ship shipping
rollback revert undo
build compile bundle bundler
ci pipeline workflow actions jenkins
test tests testing spec specs suite
mock stub fake double
library package dependency module crate gem
install add setup
linter lint eslint formatting formatter prettier style
typescript ts javascript js
python py
kubernetes k8s cluster pod
docker container image compose
cloud aws gcp azure
bucket s3 storage blob
server backend api service
endpoint route url path
client frontend ui browser
webpage page screen view
component widget element
button control
stylesheet css styling design theme
colour color palette
picture image photo thumbnail
chart graph plot visualisation diagram
dashboard board panel grafana
metric metrics monitoring telemetry
log logs logging trace
alert alerts pager oncall on-call notification
incident outage downtime
slow latency performance sluggish speed
fast quick speed
memory ram heap oom
leak leaking
disk storage space
limit cap maximum budget quota threshold
size length weight
number count amount
money price amount currency cents payment
payment payments billing invoice charge checkout
customer client user buyer
shop store merchant
email mail smtp
chat slack teams channel
message notification
colleague teammate coworker team
boss manager lead
owner responsible maintainer
approve approval review sign-off
vacation holiday leave
meeting standup sync
deadline due date
schedule cron timer job nightly
night nightly overnight
morning daily
timezone utc time tz
date dates calendar day
format notation style
config configuration settings options
environment env variable variables
flag flags toggle switch feature
secret key token credential
port host address
local localhost laptop machine
staging preprod pre-production
production prod live
migration migrations schema alembic flyway
column field property attribute
table relation
transaction transactions commit atomic
lock mutex locking serialise serialize
concurrency race parallel simultaneous
retry retries attempts redelivery
timeout timeouts deadline
webhook callback hook
rate throttle throttling limit
search lookup find query
encrypt encryption tls ssl https
certificate cert tls
backup restore snapshot
archive retention keep kept
delete remove drop purge
duplicate double twice duplicated
rename renaming naming name
convention conventions rule rules guideline
prefer preference choice favourite
decide decision decided chose
reason because why rationale
document documentation docs readme
changelog release-notes
commit commits message
branch branches merge
pr pull-request review merge-request
repository repo codebase
monorepo workspace
framework library
upgrade update bump version
version release tag
translate translation i18n locale language
string strings copy wording text
test-data fixture fixtures seed
random flaky intermittent unstable
parse parser parsing
csv spreadsheet xlsx excel
export download report
import upload ingest
file files folder directory
validate validation schema check
state store redux
http request fetch
rest graphql grpc rpc
phone mobile ios android
firmware device hardware
model training ml
gpu cuda
editor ide vscode vim
keyboard shortcut hotkey keybinding
terminal shell bash zsh
mac macos osx
windows win32
linux ubuntu debian
`;

/** Read with the first question: a process that asks none need not wait for it. */
let expansions: ReadonlyMap<string, readonly string[]> | null = null;

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const line of groups.trim().split("\n")) {
    const words = line.split(" ").map((word) => ({ word, stem: roughStem(word) }));
    for (const { stem } of words) {
      const others = found.get(stem) ?? new Set<string>();
      for (const other of words) if (other.stem !== stem) others.add(other.word);
      found.set(stem, others);
    }
  }
  return new Map([...found].map(([stem, others]) => [stem, [...others]]));
}

/** Each looked up in the index: what no memory mentions costs a lookup and adds nothing. */
const expansionsMax = 32;

/**
 * Words that could stand for the given ones and are not among them, nearest to the front of the query first. A kind of
 * tool stands for its tools ("which test runner?" → jest, vitest, pytest …), and a tool for its rivals, since what one
 * asks about may have been replaced.
 */
export function synonymsOf(words: readonly string[]): readonly string[] {
  const typed = new Set(words.map(roughStem));
  const found = new Set<string>();
  const add = (other: string): void => {
    if (!typed.has(roughStem(other))) found.add(other);
  };
  expansions ??= readGroups();
  for (const word of words) (expansions.get(roughStem(word)) ?? []).forEach(add);
  families ??= readFamilies();
  for (const { stems, named, tools } of families)
    if (stems.every((stem) => typed.has(stem)) || named.some((tool) => typed.has(tool)))
      tools.forEach(add);
  return [...found].slice(0, expansionsMax);
}

interface Family {
  /** All words of the family's name, in any order: "the runner for our tests". */
  readonly stems: readonly string[];
  readonly tools: readonly string[];
  /** Those whose name says nothing else. */
  readonly named: readonly string[];
}

let families: readonly Family[] | null = null;

const readFamilies = (): readonly Family[] =>
  [...toolFamilies].map(([family, tools]) => ({
    stems: family.split(" ").map(roughStem),
    tools: [...tools],
    named: [...tools].filter(isTool),
  }));
