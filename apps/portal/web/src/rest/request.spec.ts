import { ProblemError } from '#client/problem-error.js';
import { change, query, read } from './request.js';

const answers: (() => Promise<Response>)[] = [];
const sent: RequestInit[] = [];

beforeEach(() => {
  answers.length = 0;
  sent.length = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation((_path, init) => {
    sent.push(init ?? {});
    return answers.shift()?.() ?? Promise.reject(new TypeError('no answer is left'));
  });
});

afterEach(() => jest.restoreAllMocks());

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = body === undefined ? null : JSON.stringify(body);
  answers.push(() => Promise.resolve(new Response(text, { status, headers })));
}

function lose() {
  answers.push(() => Promise.reject(new TypeError('connection lost')));
}

test('a query string holds what is set and nothing else', () => {
  expect(query({ from: '2026-11-01', to: undefined, tag: '', after: null, limit: 5 })).toBe(
    '?from=2026-11-01&limit=5',
  );
  expect(query({})).toBe('');
  expect(query({ tag: 'team=a&b' })).toBe('?tag=team%3Da%26b');
});

test('a refusal is thrown as the problem that the service answered', async () => {
  answer(402, { code: 'out-of-credits', title: 'No credits' });
  const error = await read('/x').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ code: 'out-of-credits', status: 402 });
});

test('an answer that is no JSON is a problem with its status', async () => {
  answers.push(() => Promise.resolve(new Response('<html>', { status: 500 })));
  await expect(read('/x')).rejects.toMatchObject({ status: 500 });
});

test('a change whose connection was lost is sent once more under the same idempotency key', async () => {
  lose();
  answer(201, { id: '1' });
  await expect(change('POST', '/x', { label: 'a' })).resolves.toEqual({ id: '1' });
  const keys = sent.map((init) => new Headers(init.headers).get('Idempotency-Key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a refused change is not sent again, and two changes have two keys', async () => {
  answer(403, { code: 'forbidden', title: 'No' });
  await expect(change('DELETE', '/x')).rejects.toBeInstanceOf(ProblemError);
  answer(204, undefined);
  await expect(change('DELETE', '/x')).resolves.toBeUndefined();
  const headers = sent.map((init) => new Headers(init.headers));
  expect(headers).toHaveLength(2);
  expect(headers[0]?.get('Idempotency-Key')).not.toBe(headers[1]?.get('Idempotency-Key'));
  expect(headers.every((each) => each.get('X-Requested-With') === 'portal')).toBe(true);
});
