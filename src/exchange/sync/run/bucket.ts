/** `s3://bucket/prefix`: any S3-compatible store. Objects are written once; most stores see to that themselves. */
import { S3Client } from "bun";
import { homedir } from "node:os";
import { join } from "node:path";
import { readText } from "#kit";
import {
  type Carrier,
  CarrierFailure,
  decoded,
  inTime,
  isObjectName,
  namesMax,
  objectBytesMax,
} from "./carrier.ts";

const requestMs = 60_000;

interface Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string;
}

/** Opens no connection yet: the first request does. */
export function openBucket({
  url,
  access,
}: {
  readonly url: string;
  readonly access: Access;
}): Carrier {
  const place = placeOf(url, access);
  const { bucket, endpoint, region } = place;
  const client = new S3Client({
    bucket,
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...credentialsFor(access),
  });
  return {
    list: (prefix, after) => list(client, place, prefix, after),
    get: (name) => get(client, place, name),
    put: (name, bytes) => put(client, place, name, bytes),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** `?endpoint=` and `?region=` come before the environment's. */
function placeOf(address: string, access: Access): Place {
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || `${url.username}${url.password}` !== "")
    throw new CarrierFailure(
      "this address names no bucket",
      "write s3://bucket/prefix, and give the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, "");
  const first = (given: string, ...names: readonly string[]): string | undefined =>
    [url.searchParams.get(given), ...names.map((name) => access[name])].find(Boolean) ?? undefined;
  const endpoint = first("endpoint", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "S3_ENDPOINT");
  if (endpoint !== undefined && !/^https?:\/\/\w/.test(endpoint))
    throw new CarrierFailure("the endpoint of the store is no address", "write https://host");
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${decoded(prefix)}/`,
    endpoint,
    region: first("region", "AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1",
  };
}

/** Other programs' objects do not count, so one answer may take several pages. */
async function list(
  client: S3Client,
  place: Place,
  prefix: string,
  after: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let last = after; ;) {
    const page = await listed(client, place, {
      prefix: `${place.prefix}${prefix}`,
      maxKeys: namesMax,
      ...(last === "" ? {} : { startAfter: `${place.prefix}${last}` }),
    });
    const keys = (page.contents ?? []).map(({ key }) => key.slice(place.prefix.length));
    // Few stores list in another order than that of the names.
    const sorted = keys.toSorted();
    names.push(...sorted.filter((key) => isObjectName(key) && key > after));
    const end = sorted.at(-1);
    if (!page.isTruncated || end === undefined || end === last || names.length >= namesMax)
      return names.slice(0, namesMax);
    last = end;
  }
}

async function listed(
  client: S3Client,
  place: Place,
  ask: Bun.S3ListObjectsOptions,
): Promise<Bun.S3ListObjectsResponse> {
  try {
    return await inTime(
      () => client.list(ask),
      () => unreachable(place, "it does not answer"),
    );
  } catch (error) {
    if (error instanceof CarrierFailure) throw error;
    const { code = "", message } = error as { readonly code?: string; readonly message: string };
    throw failureOf(place, { code, message, status: null });
  }
}

async function get(client: S3Client, place: Place, name: string): Promise<Uint8Array | null> {
  const response = await ask(client, place, { name, method: "GET" });
  if (response.status === 404) return missing(place, response);
  if (!response.ok) throw await refusal(place, response);
  const bytes = Number(response.headers.get("content-length") ?? 0);
  if (bytes <= objectBytesMax) return reading(place, () => response.bytes());
  await response.body?.cancel();
  return null;
}

/** A bucket or an account that is not there is no empty bucket. */
async function missing(place: Place, response: Response): Promise<null> {
  const { code, message } = await told(place, response);
  if (!/^(?:NoSuchKey|NotFound|)$/.test(code))
    throw failureOf(place, { code, message, status: 404 });
  return null;
}

/** Stores that know no conditional write do it after a look: only this device writes names of its log. */
async function put(
  client: S3Client,
  place: Place,
  name: string,
  bytes: Uint8Array,
): Promise<"created" | "exists"> {
  if ((await ask(client, place, { name, method: "HEAD" })).ok) return "exists";
  const write = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    ask(client, place, { name, method: "PUT", body: bytes, headers });
  let response = await write({ "if-none-match": "*" });
  if (response.status === 501) response = await write({});
  if (response.status === 412) return "exists";
  if (!response.ok) throw await refusal(place, response);
  return "created";
}

interface Asking {
  readonly name: string;
  readonly method: "GET" | "HEAD" | "PUT";
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client signs, and `fetch` sends: so a write can be conditional, and the store's own answer is seen. */
async function ask(
  client: S3Client,
  place: Place,
  { name, method, body, headers = {} }: Asking,
): Promise<Response> {
  const signed = client.presign(`${place.prefix}${name}`, { method, expiresIn: 300 });
  return reading(place, () =>
    fetch(signed, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(requestMs),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    }),
  );
}

/** The network's own words of a failure may hold the signed address, and are not repeated. */
async function reading<Value>(place: Place, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string };
    throw unreachable(place, name === "TimeoutError" ? "it does not answer" : (code ?? name));
  }
}

const hostOf = ({ endpoint, region }: Place): string =>
  endpoint === undefined ? `s3.${region}.amazonaws.com` : (URL.parse(endpoint)?.host ?? endpoint);

const unreachable = (place: Place, why: string): CarrierFailure =>
  new CarrierFailure(
    `the store at ${hostOf(place)} cannot be reached: ${why}`,
    "nothing is lost; sync goes on when it answers",
  );

interface Told {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
}

async function told(place: Place, response: Response): Promise<Told> {
  const text = await reading(place, () => response.text());
  const of = (tag: string): string =>
    new RegExp(`<${tag}>([^<]{0,200})</${tag}>`).exec(text)?.[1] ?? "";
  return { code: of("Code"), message: of("Message"), status: response.status };
}

const refusal = async (place: Place, response: Response): Promise<CarrierFailure> =>
  failureOf(place, await told(place, response));

const badKeys =
  /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|AuthorizationHeaderMalformed|.*CREDENTIALS|.*UserNotFound|.*Token.*)$/;
const isFull = /Quota|StorageFull|InsufficientStorage|NoSpace|CapExceeded/i;
/** The errors of the runtime's client, where no store answered. */
const isLine = /^(?:Connection\w*|UnknownError|Timeout\w*|E[A-Z]+|FailedToOpenSocket|)$/;

type Row = readonly [
  isOne: (told: Told) => boolean,
  message: (bucket: string, host: string) => string,
  next: string,
  isRefused?: true,
];

const known: readonly Row[] = [
  [
    ({ code }) => badKeys.test(code),
    (_, host) => `the store at ${host} does not accept the credentials`,
    "run `continuity sync now` with the right AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    true,
  ],
  [
    ({ code }) => code === "NoSuchBucket",
    (bucket, host) => `there is no bucket ${bucket} at ${host}`,
    "create it, or check the address",
  ],
  [
    ({ code, status }) => status === 507 || isFull.test(code),
    (_, host) => `the store at ${host} is full`,
    "make room in it; nothing is lost, and sync goes on then",
  ],
  [
    ({ code, status }) => code === "AccessDenied" || status === 401 || status === 403,
    (bucket, host) => `the credentials may not use the bucket ${bucket} at ${host}`,
    "give them the rights to list, read and write it",
    true,
  ],
];

function failureOf(place: Place, told: Told): CarrierFailure {
  const { code, message, status } = told;
  const row = known.find(([isOne]) => isOne(told));
  if (row !== undefined)
    return new CarrierFailure(row[1](place.bucket, hostOf(place)), row[2], row[3]);
  if (status === null && isLine.test(code)) return unreachable(place, code || message);
  const why = [status, code, message].filter((part) => part !== null && part !== "").join(" ");
  return new CarrierFailure(
    `the store at ${hostOf(place)} failed: ${why}`,
    "nothing is lost; try again later",
  );
}

// Keys of an S3 store: from the environment, else from the file that other S3 programs read.

type Access = Readonly<Record<string, string>>;

/** The file is read each time, so that keys that change hold at once. */
function credentialsFor(access: Access) {
  const path = access["AWS_SHARED_CREDENTIALS_FILE"] ?? join(homedir(), ".aws", "credentials");
  const profile = access["AWS_PROFILE"] ?? "default";
  const keys =
    keysIn((name) => access[name.toUpperCase()]) ??
    keysIn((name) => section(path, profile).get(name));
  if (keys !== null) return keys;
  throw new CarrierFailure(
    `there are no credentials for the store: ${path} has none for the profile ${profile}`,
    "put them there, or into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    true,
  );
}

function keysIn(at: (name: string) => string | undefined) {
  const accessKeyId = at("aws_access_key_id");
  const secretAccessKey = at("aws_secret_access_key");
  const sessionToken = at("aws_session_token");
  if (!accessKeyId || !secretAccessKey) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Lines `key = value` below `[profile]`. */
function section(path: string, profile: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isOurs = false;
  for (const line of (readText(path) ?? "").split("\n")) {
    const [, title] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    if (title !== undefined) isOurs = title === profile;
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isOurs && key !== undefined && value !== undefined) values.set(key.toLowerCase(), value);
  }
  return values;
}
