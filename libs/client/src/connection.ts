import { rememberHeaders } from './answer-headers.js';
import { newIdempotencyKey } from './idempotency-key.js';
import {
  ConnectionError,
  lossText,
  OTHER_PLACE,
  ProblemError,
  problemOf,
} from './problem-error.js';
import { delay, retryDelayMs } from './retry.js';

/** Address of a service, and how requests are sent to it. */
export interface ConnectionSettings {
  /** Such as `https://data.example.com`. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long one attempt may take, in ms; of a stream until it begins. 30,000 by default. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most. 5 by default. */
  readonly attempts?: number;
  /**
   * The longest wait between attempts, in ms; a refusal that asks for more is thrown. 60,000 by
   * default.
   */
  readonly waitMsMax?: number;
  /** In the place of the global one. */
  readonly fetch?: typeof fetch;
}

/** Options of one request. */
export interface RequestOptions {
  /** Cancels the request, also while it waits for another attempt. */
  readonly signal?: AbortSignal;
  /** In the place of the connection's. */
  readonly timeoutMs?: number;
}

/** Options of one change. */
export interface ChangeOptions extends RequestOptions {
  /** A permanent name of the change, which happens once under it; a new one by default. */
  readonly idempotencyKey?: string;
  /** The `ETag` that the change is meant for: of any other it is refused. */
  readonly ifMatch?: string;
}

export type QueryValue = string | number | boolean | null | undefined;

/** One request. */
export interface ClientRequest extends ChangeOptions {
  /** GET by default. */
  readonly method?: string;
  /** From the root: `/v1/account`. */
  readonly path: string;
  /** Without the members that are null or undefined. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON; bytes as they are, with the `Content-Type` of the headers. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the answer; JSON by default. */
  readonly accept?: string;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const WAIT_MS_MAX = 60_000;

/** A part of an answer, with its headers. */
interface Read<Value> {
  readonly value: Value;
  readonly headers: Headers;
}

/**
 * Sends requests. Lost connections and temporary refusals are retried; all attempts of a change
 * carry the same idempotency key, so it happens once.
 */
export class Connection {
  /** Throws a TypeError for a base URL that is none; the empty text is a page's own server. */
  constructor(private readonly settings: ConnectionSettings) {
    if (settings.baseUrl !== '') void new URL(settings.baseUrl);
  }

  /**
   * Reads JSON; undefined where the answer has no body. Throws ProblemError, ConnectionError, or
   * the reason of the signal.
   */
  async json<Answer>(asked: ClientRequest): Promise<Answer> {
    const { value, headers } = await this.send(asked, (response) => response.text());
    if (value === '') return undefined as Answer;
    return rememberHeaders(this.parse<Answer>(asked, value, headers), headers);
  }

  private parse<Answer>(asked: ClientRequest, text: string, headers: Headers): Answer {
    try {
      return JSON.parse(text) as Answer;
    } catch (cause) {
      const type = headers.get('content-type') ?? 'no type';
      const message = `${this.urlOf(asked)} answered with ${type} and not with JSON. ${OTHER_PLACE}`;
      throw new ConnectionError(message, { cause });
    }
  }

  /** The answer once it has begun, its body still to be read: for files and long lists. */
  async stream(asked: ClientRequest): Promise<Response> {
    return (await this.send(asked, (response) => Promise.resolve(response))).value;
  }

  private async send<Value>(
    asked: ClientRequest,
    read: (response: Response) => Promise<Value>,
  ): Promise<Read<Value>> {
    const { attempts = ATTEMPTS, waitMsMax = WAIT_MS_MAX } = this.settings;
    const url = this.urlOf(asked);
    const request = this.requestOf(asked);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(asked, url, request, read);
      } catch (error) {
        const waitMs = attempt < attempts ? retryDelayMs(error, attempt) : null;
        if (waitMs === null || waitMs > waitMsMax) throw error;
        await delay(waitMs, asked.signal);
      }
    }
  }

  private async attempt<Value>(
    asked: ClientRequest,
    url: string,
    request: RequestInit,
    read: (response: Response) => Promise<Value>,
  ): Promise<Read<Value>> {
    const { signal, timeoutMs = this.settings.timeoutMs ?? TIMEOUT_MS } = asked;
    signal?.throwIfAborted();
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), timeoutMs);
    const ended = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal;
    try {
      const ask = this.settings.fetch ?? fetch;
      const response = await ask(url, { ...request, signal: ended });
      if (!response.ok) throw await problemOf(response, url);
      return { value: await read(response), headers: response.headers };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      signal?.throwIfAborted();
      const isLate = clock.signal.aborted;
      const why = isLate ? `no answer within ${timeoutMs} ms` : lossText(error);
      throw new ConnectionError(`${url}: ${why}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private urlOf({ path, query = {} }: ClientRequest): string {
    // Anything else could make another host of the base URL, which would be sent the secret.
    if (!path.startsWith('/')) throw new TypeError('A path begins with a slash.');
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) search.set(name, String(value));
    }
    const url = `${this.settings.baseUrl.replace(/\/$/, '')}${path}`;
    return search.size === 0 ? url : `${url}?${search.toString()}`;
  }

  private requestOf(asked: ClientRequest): RequestInit {
    const { method = 'GET', body, accept = 'application/json', idempotencyKey, ifMatch } = asked;
    const key = idempotencyKey ?? (/^(?:GET|HEAD)$/.test(method) ? undefined : newIdempotencyKey());
    return {
      method,
      headers: new Headers({
        Accept: accept,
        ...this.settings.headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
        ...asked.headers,
      }),
      ...(body !== undefined && {
        body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    };
  }
}
