import { DatabaseError } from 'pg';
import { codeOf, constraintOf, faultOf, isDatabaseTrouble, isTransient } from './errors.js';

function withCode(code: string): Error {
  return Object.assign(new Error('refused'), { code });
}

describe('faultOf', () => {
  test.each([
    ['08006', 'connection-lost'],
    ['08P01', 'connection-lost'],
    ['57P01', 'connection-lost'],
    ['57P02', 'connection-lost'],
    ['57P03', 'connection-lost'],
    ['57P05', 'connection-lost'],
    ['ECONNREFUSED', 'connection-lost'],
    ['ECONNRESET', 'connection-lost'],
    ['EPIPE', 'connection-lost'],
    ['ETIMEDOUT', 'connection-lost'],
    ['ENOENT', 'connection-lost'],
    ['23505', 'unique-violation'],
    ['23502', 'data-error'],
    ['23514', 'data-error'],
    ['22P02', 'data-error'],
    ['22P05', 'data-error'],
    ['22021', 'data-error'],
    ['54000', 'data-error'],
    ['40001', 'contention'],
    ['40P01', 'contention'],
    ['55P03', 'contention'],
    ['53100', 'resource-exhausted'],
    ['53300', 'resource-exhausted'],
    ['57014', 'resource-exhausted'],
    ['58030', 'resource-exhausted'],
    ['42P01', 'other'],
    ['25006', 'read-only'],
    ['25P02', 'contention'],
    ['25P03', 'connection-lost'],
    ['25P04', 'connection-lost'],
    ['55000', 'contention'],
    ['55006', 'contention'],
    ['XX000', 'other'],
    ['ERR_ASSERTION', 'other'],
  ])('classifies %s as %s', (code, fault) => {
    expect(faultOf(withCode(code))).toBe(fault);
  });

  test.each([
    ['new row for relation "t_102019" violates check constraint "none_102019"', 'data-error'],
    ['duplicate key value violates unique constraint "t_pkey_102019"', 'unique-violation'],
    ['cache lookup failed for type 7', 'other'],
  ])('goes by the words of a cluster that names no code: %s', (message, fault) => {
    expect(faultOf(Object.assign(new Error(message), { code: 'XX000' }))).toBe(fault);
  });

  test.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('classifies the message "%s" of an error without a code as a lost connection', (message) => {
    expect(faultOf(new Error(message))).toBe('connection-lost');
  });

  test.each(['08006', '57P01'])(
    'a server that reports %s and goes on has lost another one',
    (code) => {
      expect(faultOf(Object.assign(withCode(code), { severity: 'ERROR' }))).toBe('node-lost');
      expect(faultOf(Object.assign(withCode(code), { severity: 'FATAL' }))).toBe('connection-lost');
    },
  );

  test('looks into the errors of a connection that was tried on several addresses', () => {
    expect(faultOf(new AggregateError([withCode('ECONNREFUSED')]))).toBe('connection-lost');
  });

  test.each([
    [new TypeError('x is not a function')],
    [undefined],
    ['Connection terminated'],
    [null],
  ])('calls %p something else', (error) => {
    expect(faultOf(error)).toBe('other');
  });
});

test('only faults that may heal by themselves are transient', () => {
  const transient = ['08006', '25006', '25P03', '40P01', '53100', '55006', '57014', '58030'];
  const others = ['23505', '22P02', '42P01', 'XX000'];
  const found = [...transient, ...others].filter((code) => isTransient(withCode(code)));
  expect(found).toEqual(transient);
});

test('whatever the database says that is not about the data is trouble of the database', () => {
  const trouble = ['08006', '25006', '53100', '42P01', '42501', 'XX000'];
  const data = ['22P02', '23505', '23514', '54000'];
  const found = [...trouble, ...data].filter((code) => isDatabaseTrouble(withCode(code)));
  expect(found).toEqual(trouble);
  expect(isDatabaseTrouble(new TypeError('x is not a function'))).toBe(false);
  expect(isDatabaseTrouble(withCode('ERR_ASSERTION'))).toBe(false);
});

test('the code and the constraint of a refusal are distinguished from their absence', () => {
  const error = new DatabaseError('duplicate key', 10, 'error');
  expect(codeOf(error)).toBeUndefined();
  error.code = '23505';
  error.constraint = 'event_call_id';
  expect(codeOf(error)).toBe('23505');
  expect(constraintOf(error)).toBe('event_call_id');
  const ofShard = Object.assign(new Error('refused'), { constraint: 'event_call_id_102015' });
  expect(constraintOf(ofShard)).toBe('event_call_id');
  const message = 'duplicate key value violates unique constraint "event_call_id_102015"';
  expect(constraintOf(new Error(message))).toBe('event_call_id');
  expect(constraintOf(new Error('no constraint'))).toBeUndefined();
});
