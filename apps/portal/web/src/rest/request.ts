import { Connection } from '#client/connection.js';
import type { Command, Read } from '#client/operations.js';
import { ConnectionError, ProblemError, type ProblemBody } from '#client/problem-error.js';
import { BASE_PATH } from './base-path.js';

/** The server of the page. React Query asks again for what is read. */
const SERVER = new Connection({
  baseUrl: BASE_PATH && location.origin + BASE_PATH,
  attempts: 2,
  waitMsMax: 2_000,
});

/** Reads JSON. Throws ProblemError and ConnectionError. */
export function read<Answer>(of: Read<Answer>, signal?: AbortSignal): Promise<Answer> {
  return SERVER.json<Answer>({ ...of, ...(signal && { signal }) });
}

/** A change that got no answer. Unlike a read it is not repeated by the page. */
export class UnansweredChangeError extends ConnectionError {
  override readonly name = 'UnansweredChangeError';
}

/** Changes of an interface are taken from its own pages alone. */
function pageOf({ path }: Read<unknown>): string {
  return path.startsWith('/admin/') ? 'console' : 'portal';
}

/**
 * Changes something, once, even where the connection breaks and it has to be sent again; under a
 * key of its own once for ever. Throws
 * ProblemError and UnansweredChangeError.
 */
export async function send<Answer, Body>(
  of: Command<Answer, Body>,
  body?: Body,
  idempotencyKey?: string,
): Promise<Answer> {
  try {
    return await SERVER.json<Answer>({
      ...of,
      body,
      headers: { 'X-Requested-With': pageOf(of) },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new UnansweredChangeError(error.message, { cause: error });
  }
}

/** Sends a file and reads what the service says of it. Throws as a change does. */
export async function upload<Answer>(
  of: Command<Answer, unknown>,
  file: Blob,
  type: string,
): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'content-type': type,
    'x-requested-with': pageOf(of),
  };
  let response: Response;
  try {
    response = await fetch(BASE_PATH + addressOf(of), { method: 'POST', headers, body: file });
  } catch (error) {
    throw new ConnectionError('The file could not be sent.', { cause: error });
  }
  const answer: unknown = await response.json();
  if (!response.ok) throw new ProblemError(answer as ProblemBody, response.headers);
  return answer as Answer;
}

/** Path and query of an operation. */
function addressOf({ path, query = {} }: Read<unknown>): string {
  const set = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  if (set.length === 0) return path;
  return `${path}?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Fetches a file. Throws as all else. */
export async function download(of: Read<unknown>, accept: string): Promise<Blob> {
  return (await SERVER.stream({ ...of, accept })).blob();
}
