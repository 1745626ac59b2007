import { ProblemError } from '#client/problem-error.js';
import { read, send } from './request.js';

const X = { id: 'x', path: '/x' };
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

test('a refusal is thrown as the problem that the service answered', async () => {
  answer(402, { code: 'out-of-credits', title: 'No credits' });
  const error = await read(X).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ code: 'out-of-credits', status: 402 });
});

test('an answer that is no JSON is a problem with its status', async () => {
  answers.push(() => Promise.resolve(new Response('<html>', { status: 500 })));
  await expect(read(X)).rejects.toMatchObject({ status: 500 });
});

test('a change whose connection was lost is sent once more under the same idempotency key', async () => {
  lose();
  answer(201, { id: '1' });
  await expect(send({ ...X, method: 'POST' }, { label: 'a' })).resolves.toEqual({ id: '1' });
  const keys = sent.map((init) => new Headers(init.headers).get('Idempotency-Key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a refused change is not sent again, and two changes have two keys', async () => {
  answer(403, { code: 'forbidden', title: 'No' });
  await expect(send({ ...X, method: 'DELETE' })).rejects.toBeInstanceOf(ProblemError);
  answer(204, undefined);
  await expect(send({ ...X, method: 'DELETE' })).resolves.toBeUndefined();
  const headers = sent.map((init) => new Headers(init.headers));
  expect(headers).toHaveLength(2);
  expect(headers[0]?.get('Idempotency-Key')).not.toBe(headers[1]?.get('Idempotency-Key'));
  expect(headers.every((each) => each.get('X-Requested-With') === 'portal')).toBe(true);
});
