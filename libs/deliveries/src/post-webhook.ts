import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { isPublicAddress } from './public-address.js';
import type { ResolveHost } from './resolve-host.js';
import { hostOf, webhookUrlFault } from './webhook-url.js';

/** The outcome of one request: the status of the answer, or why there was none. */
export type PostResult =
  | { readonly outcome: 'answered'; readonly status: number }
  | { readonly outcome: 'unanswered'; readonly detail: string };

export interface PostOptions {
  readonly resolve: ResolveHost;
  /** Whether http and addresses that are not public may be called. */
  readonly allowPrivate: boolean;
  /** For all of it: names, connection, answer. */
  readonly timeoutMs: number;
  /** Further authorities to trust. */
  readonly tls?: Pick<SecureContextOptions, 'ca'>;
  /** Cuts it short: the service stops. */
  readonly signal: AbortSignal;
}

const ANSWER_BYTES_MAX = 65_536;
const DETAIL_LENGTH_MAX = 300;

/**
 * Sends one body to a stranger's address. The host's name is looked up once, every address of it is
 * checked, and exactly those are connected to: an answer of the DNS that changes changes nothing.
 * No redirect is followed; of an answer only the status counts, and at most 64 kB are read. Never
 * throws.
 */
export async function postWebhook(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<PostResult> {
  const timeout = new AbortController();
  const cut = (reason: string) => (): void => timeout.abort(new Error(reason));
  const late = cut(`No answer within ${options.timeoutMs / 1_000} s.`);
  const timer = setTimeout(late, options.timeoutMs);
  const stop = cut('The service stopped before there was an answer.');
  options.signal.addEventListener('abort', stop);
  if (options.signal.aborted) stop();
  try {
    const url = checkedUrl(address, options.allowPrivate);
    const found = await checkedAddresses(url, options, timeout.signal);
    const status = await post(url, found, headers, body, options, timeout.signal);
    return { outcome: 'answered', status };
  } catch (error) {
    const reason: unknown = timeout.signal.aborted ? timeout.signal.reason : error;
    return { outcome: 'unanswered', detail: detailOf(reason) };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
  }
}

/** The setting may have changed since the webhook was made. */
function checkedUrl(address: string, allowPrivate: boolean): URL {
  const fault = webhookUrlFault(address, allowPrivate);
  if (fault !== undefined) throw new Error(`${fault}.`);
  return new URL(address);
}

async function checkedAddresses(
  url: URL,
  { resolve, allowPrivate }: PostOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await orAborted(resolve(hostOf(url), signal), signal).catch(unresolved);
  if (found.length === 0) throw new Error('The name has no address.');
  const refused = allowPrivate ? undefined : found.find((address) => !isPublicAddress(address));
  if (refused !== undefined) throw new Error('The name leads to an address that is not public.');
  return found;
}

/** The DNS reports the fault of a name by a code. */
function unresolved(error: unknown): never {
  const { code } = error as { readonly code?: unknown };
  throw typeof code === 'string' ? new Error(`The name is not resolved (${code}).`) : error;
}

/** Not every lookup can be cancelled; it is not waited for. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Answers nothing but these addresses, whatever name is asked for. */
function lookupAmong(found: readonly string[]): LookupFunction {
  const addresses = found.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function post(
  url: URL,
  found: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string,
  { tls }: PostOptions,
  signal: AbortSignal,
): Promise<number> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: lookupAmong(found),
      // A connection of its own: one that is kept would outlive the check of its address.
      agent: false,
      signal,
      ...tls,
    });
    let status: number | undefined;
    sent.once('response', (answer) => {
      status = answer.statusCode ?? 0;
      drain(answer);
    });
    // Once the status is there, nothing that happens to the rest of the answer matters.
    sent.on('error', (error) => (status === undefined ? reject(error) : resolve(status)));
    sent.once('close', () => resolve(status ?? 0));
    sent.end(body);
  });
}

/** Lets a receiver finish its answer, within reason. */
function drain(answer: http.IncomingMessage): void {
  let bytes = 0;
  // What happens to the rest of an answer changes nothing any more.
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) answer.destroy();
  });
}

/** An error as its attempt shows it, in one line; of several addresses the first one's. */
function detailOf(error: unknown): string {
  const { errors = [error] } = error as { readonly errors?: readonly unknown[] };
  const { message } = errors[0] as { readonly message?: unknown };
  if (typeof message !== 'string' || message === '') return 'The request failed.';
  return message.replaceAll(/\s+/g, ' ').slice(0, DETAIL_LENGTH_MAX);
}
