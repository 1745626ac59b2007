import { connect } from 'node:net';
import { once } from 'node:events';
import { ServerRefusedError } from '#database/server-refused-error.js';
import { briefCause } from './brief-cause.js';

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

test('the address of a database that does not answer is not shown', async () => {
  const socket = connect(1, '127.0.0.1');
  const [error] = (await once(socket, 'error').catch((fault: unknown) => [fault])) as [Error];
  expect(error.message).toContain('127.0.0.1:1');
  expect(briefCause(error)).toBe('no connection, or no answer (ECONNREFUSED)');
});

test.each([
  [
    coded('password authentication failed for user "popindex"', '28P01'),
    'a fault that only the log names (28P01)',
  ],
  [
    coded('database "billing-eu" does not exist', '3D000'),
    'a fault that only the log names (3D000)',
  ],
  [
    coded('getaddrinfo ENOTFOUND db.internal', 'ENOTFOUND'),
    'no connection, or no answer (ENOTFOUND)',
  ],
  [
    coded('could not extend file "base/5/16384"', '53100'),
    'the database ran out of room or time (53100)',
  ],
  [new Error('Connection terminated unexpectedly'), 'no connection, or no answer'],
  [new Error('A note of ann@example.org is no note.'), 'a fault that only the log names'],
  ['a text of somebody', 'a fault that only the log names'],
  [
    new Error('The log is away at 10.0.0.5.', {
      cause: coded('connect 10.0.0.5:5432', 'EHOSTUNREACH'),
    }),
    'no connection, or no answer (EHOSTUNREACH)',
  ],
  [
    new ServerRefusedError(
      'the server at 10.0.0.5:5432 is a stale primary',
      'the server is a stale primary',
    ),
    'the server is a stale primary',
  ],
])('fault %# is reported by its kind and code alone', (error, brief) => {
  expect(briefCause(error)).toBe(brief);
});
