/** A structured CloudEvent 1.0, as webhooks are sent them. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** The same in every attempt: who has seen it may ignore the event. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The account; absent where an event is about the whole service. */
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: Readonly<Record<string, unknown>>;
}

type HeaderValue = string | readonly string[] | null | undefined;

/** Headers by their names, in upper or lower case, each with one value or several. */
export type WebhookHeaders =
  Headers | Iterable<readonly [string, HeaderValue]> | Readonly<Record<string, HeaderValue>>;

/** A request as a receiver got it. */
export interface ReceivedWebhook {
  /** As Fetch, Node, a framework or a function's event has them: an object, a map or pairs. */
  readonly headers: WebhookHeaders;
  /** The bytes or the text that arrived; not what a parser made of them. */
  readonly body: string | Uint8Array;
  /** `whsec_…`; several while one replaces another. */
  readonly secret: string | readonly string[];
  /** How far the clocks may be apart, and how old an attempt may be; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The present, in ms since 1970; that of the clock by default. */
  readonly nowMs?: number;
}

/** A webhook that the service did not sign, or not lately: answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name: string = 'WebhookVerificationError';
}

const PREFIX = 'whsec_';
const VERSION = 'v1,';
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * The event of a webhook whose signature is right (Standard Webhooks, v1). Throws
 * WebhookVerificationError for any other, and TypeError where it is called in a wrong way.
 */
export async function verifyWebhook<Event = CloudEvent>(received: ReceivedWebhook): Promise<Event> {
  const { headers, body, secret, toleranceSeconds = 300, nowMs = Date.now() } = received;
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError('verifyWebhook takes one secret or several.');
  const text = textOf(body);
  const [id, timestamp, signature] = signedHeaders(headers);
  if (!/^\d+$/.test(timestamp)) {
    throw new WebhookVerificationError(`webhook-timestamp is no time in seconds: "${timestamp}".`);
  }
  const ageSeconds = Math.round(nowMs / 1_000 - Number(timestamp));
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const detail = `webhook-timestamp is ${ageSeconds} s old; ${toleranceSeconds} s are tolerated.`;
    throw new WebhookVerificationError(detail);
  }
  const signatures = signature
    .split(/,?\s+/)
    .filter((one) => one.startsWith(VERSION))
    .map((one) => bytesOf(one.slice(VERSION.length)));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of secrets) {
    if (await isSigned(each, signatures, signed)) return JSON.parse(text) as Event;
  }
  throw new WebhookVerificationError('No signature is right.');
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError('The body is the text or the bytes that arrived, before any parser.');
}

/** Id, timestamp and signatures. Throws a WebhookVerificationError that names what is missing. */
function signedHeaders(headers: WebhookHeaders): readonly [string, string, string] {
  const values = NAMES.map((name) => valuesOf(headers, name));
  const missing = NAMES.filter((_, index) => values[index]?.length === 0);
  if (missing.length > 0) {
    throw new WebhookVerificationError(`Missing headers: ${missing.join(', ')}.`);
  }
  // Sent twice, a header is a list; an id or a timestamp that is one is signed by nobody.
  const [id = '', timestamp = '', signature = ''] = values.map((each) => each.join(' '));
  return [id, timestamp, signature];
}

function valuesOf(given: WebhookHeaders | null | undefined, name: string): readonly string[] {
  const headers = given ?? {};
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = pairs.flatMap(([key, value]) =>
    key.toLowerCase() === name ? [value].flat() : [],
  );
  // A name that is there in two spellings has its value twice.
  return [...new Set(values)].filter((value): value is string => Boolean(value));
}

async function isSigned(
  secret: string,
  signatures: readonly (Uint8Array<ArrayBuffer> | null)[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = typeof secret === 'string' ? bytesOf(secret.trim().replace(PREFIX, '')) : null;
  if (bytes === null) throw new TypeError('A secret is whsec_ and base64.');
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify']);
  for (const signature of signatures) {
    if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return true;
  }
  return false;
}

/** Of base64; null: it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
