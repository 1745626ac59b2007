import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '#web/startup-error.js';
import type { AdminAddress } from './admin-address.js';

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Names a change, so that it can be asked for again; a new one unless given. */
  readonly idempotencyKey?: string | undefined;
}

export type AdminAnswer =
  | { readonly outcome: 'done'; readonly value: unknown }
  | { readonly outcome: 'refused'; readonly status: number; readonly problem: RefusalText };

/** Texts of a problem, as far as the answer is one. */
export interface RefusalText {
  readonly title?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly detail?: string;
    readonly allowed?: readonly unknown[];
  }[];
}

const ATTEMPTS_MAX = 3;
const WAIT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 120_000;

/** The code of the innermost fault of a fetch, as ECONNREFUSED, or what it says. */
function codeOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: unknown };
  if (cause !== undefined && cause !== null) return codeOf(cause);
  return typeof code === 'string' ? code : String(message);
}

/**
 * The admin REST as commands use it. A change carries an idempotency key, so one whose answer was lost,
 * or that a busy service put off, is asked for again and happens once.
 */
export class AdminClient {
  constructor(private readonly address: AdminAddress) {}

  /** Throws StartupError when nobody answers there. */
  async ask(request: AdminRequest): Promise<AdminAnswer> {
    const { method, body, idempotencyKey = randomUUID() } = request;
    const options: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${this.address.token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.send(request.path, options, attempt);
      if (response === undefined) continue;
      if (response.status !== 503 || attempt === ATTEMPTS_MAX) return answerOf(response);
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await response.body?.cancel();
      await delay(Math.min(WAIT_MS_MAX, 1_000 * (Number.isFinite(seconds) ? seconds : 1)));
    }
  }

  /** Undefined: the connection was lost, and another attempt may be made. */
  private async send(
    path: string,
    options: RequestInit,
    attempt: number,
  ): Promise<Response | undefined> {
    const { url, from } = this.address;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      return await fetch(`${url}/admin/v1${path}`, { ...options, signal });
    } catch (error) {
      const code = codeOf(error);
      const isLost = code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
      if (isLost && attempt < ATTEMPTS_MAX) return undefined;
      throw new StartupError(
        `popindex: the admin REST at ${url} does not answer (${code}). The address comes from ` +
          `${from}; is the service running?`,
        { cause: error },
      );
    }
  }
}

async function answerOf(response: Response): Promise<AdminAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const value: unknown = isJson && text !== '' ? JSON.parse(text) : null;
  if (response.ok) return { outcome: 'done', value };
  return { outcome: 'refused', status: response.status, problem: (value ?? {}) as RefusalText };
}
