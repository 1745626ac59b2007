import { offlineProblem, RefusedRequest, type Problem } from './problem.js';

/** Chance without `randomUUID`, which only secure pages have. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function refusalOf(response: Response): Promise<RefusedRequest> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  try {
    const problem = (await response.json()) as Problem;
    return new RefusedRequest({ ...problem, status: response.status }, retryAfter);
  } catch {
    const title = response.statusText || 'The service answered with an error';
    return new RefusedRequest({ code: 'internal', title, status: response.status }, retryAfter);
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RefusedRequest(offlineProblem(), Number.NaN);
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** Reads JSON. Throws `RefusedRequest` for every answer that is none. */
export async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const init: RequestInit = { headers: { Accept: 'application/json' } };
  if (signal !== undefined) init.signal = signal;
  const response = await send(path, init);
  return (await response.json()) as Answer;
}

/** Changes something, once, even where the connection breaks and it has to be sent again. */
export async function change<Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-Requested-With': path.startsWith('/admin/') ? 'console' : 'portal',
    'Idempotency-Key': newIdempotencyKey(),
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const response = await send(path, init).catch((error: unknown) => {
    const isLost = error instanceof RefusedRequest && error.problem.code === 'offline';
    if (!isLost) throw error;
    return send(path, init);
  });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** A query string of what is set: no empty members. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>) {
  const set = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Fetches a file. Throws `RefusedRequest` as all else. */
export async function download(path: string, accept: string): Promise<Blob> {
  return (await send(path, { headers: { Accept: accept } })).blob();
}
