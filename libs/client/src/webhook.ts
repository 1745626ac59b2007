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

/** A request as a receiver got it. */
export interface ReceivedWebhook {
  /** Of Fetch, or as Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
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

/**
 * The event of a webhook whose signature is right (Standard Webhooks, v1). Throws
 * WebhookVerificationError for any other.
 */
export async function verifyWebhook<Event = CloudEvent>(received: ReceivedWebhook): Promise<Event> {
  const { headers, body, secret, toleranceSeconds = 300, nowMs = Date.now() } = received;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith(VERSION))
    .map((one) => bytesOf(one.slice(VERSION.length)));
  const ageSeconds = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('The timestamp is missing, or too far from the present.');
  }
  const text =
    typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(each, signatures, signed)) return JSON.parse(text) as Event;
  }
  throw new WebhookVerificationError('No signature is right.');
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`There is no ${name}.`);
}

async function isSigned(
  secret: string,
  signatures: readonly (Uint8Array<ArrayBuffer> | null)[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = bytesOf(secret.replace(PREFIX, ''));
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
