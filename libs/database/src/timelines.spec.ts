import { faultOf } from './errors.js';
import { ServerRefusedError } from './server-refused-error.js';
import { Timelines } from './timelines.js';

const state = (timeline: number | null, system: string | null = 'one') => ({
  isReadOnly: false,
  timeline,
  system,
});

test('a server on a lower timeline than before is a stale primary', () => {
  const seen = new Timelines();
  seen.check(state(1), 'a:1');
  seen.check(state(3), 'b:2');
  seen.check(state(3), 'b:2');
  expect(() => seen.check(state(2), 'a:1')).toThrow(
    new ServerRefusedError(
      'the server at a:1 is a stale primary: it is on timeline 2, and timeline 3 was seen before',
      'the server is a stale primary',
    ),
  );
});

test('another cluster, a standby and a server that does not answer are none', () => {
  const seen = new Timelines();
  seen.check(state(3), 'a:1');
  seen.check(state(1, 'other'), 'a:1');
  seen.check(state(null), 'b:2');
  seen.check(state(1, null), 'b:2');
});

test('a refused server is reported as one that does not answer', () => {
  expect(faultOf(new ServerRefusedError('stale', 'stale'))).toBe('connection-lost');
});
