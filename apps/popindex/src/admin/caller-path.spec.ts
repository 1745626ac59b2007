import path from 'node:path';
import { callerPath } from './caller-path.js';

test.each([
  ['data', { INIT_CWD: '/home' }, '/home/data'],
  ['../data', { INIT_CWD: '/home/me' }, '/home/data'],
  ['/data', { INIT_CWD: '/home' }, '/data'],
  ['data', {}, path.resolve('data')],
])('%s from %j is %s', (file, environment, absolute) => {
  expect(callerPath(file, environment)).toBe(absolute);
});
