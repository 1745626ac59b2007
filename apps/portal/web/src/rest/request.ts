import { Connection } from '#client/connection.js';
import { ConnectionError, ProblemError, type ProblemBody } from '#client/problem-error.js';
import { BASE_PATH } from './base-path.js';

/** The server of the page. React Query asks again for what is read. */
const SERVER = new Connection({
  baseUrl: BASE_PATH && location.origin + BASE_PATH,
  attempts: 2,
  waitMsMax: 2_000,
});

/** Reads JSON. Throws ProblemError and ConnectionError. */
export function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return SERVER.json<Answer>({ path, ...(signal && { signal }) });
}

/** A change that got no answer. Unlike a read it is not repeated by the page. */
export class UnansweredChangeError extends ConnectionError {
  override readonly name = 'UnansweredChangeError';
}

/**
 * Changes something, once, even where the connection breaks and it has to be sent again. Throws
 * ProblemError and UnansweredChangeError.
 */
export async function change<Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const page = path.startsWith('/admin/') ? 'console' : 'portal';
  try {
    return await SERVER.json<Answer>({ method, path, body, headers: { 'X-Requested-With': page } });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new UnansweredChangeError(error.message, { cause: error });
  }
}

/** Sends a file and reads what the service says of it. Throws as a change does. */
export async function upload<Answer>(path: string, file: Blob, type: string): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'content-type': type,
    'x-requested-with': 'portal',
  };
  let response: Response;
  try {
    response = await fetch(BASE_PATH + path, { method: 'POST', headers, body: file });
  } catch (error) {
    throw new ConnectionError('The file could not be sent.', { cause: error });
  }
  const answer: unknown = await response.json();
  if (!response.ok) throw new ProblemError(answer as ProblemBody, response.headers);
  return answer as Answer;
}

/** A query string of what is set: no empty members. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>) {
  const set = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Fetches a file. Throws as all else. */
export async function download(path: string, accept: string): Promise<Blob> {
  return (await SERVER.stream({ path, accept })).blob();
}
