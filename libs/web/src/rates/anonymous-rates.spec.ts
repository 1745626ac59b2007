import { MemoryRateLimits } from './memory-rate-limits.js';
import { AnonymousRates } from './anonymous-rates.js';

function from(remoteAddress: string) {
  return { headers: {}, socket: { remoteAddress } };
}

let now: number;
let strangers: AnonymousRates;
beforeEach(() => {
  now = 0;
  const clock = () => now;
  strangers = new AnonymousRates(new MemoryRateLimits(clock), [], clock);
});

it('an address has twenty refusals at once, and waits for each further one, up to a second', () => {
  const turns = Array.from({ length: 60 }, () => strangers.rejectAfterMs(from('192.0.2.1')));
  expect(turns.slice(0, 20)).toEqual(Array(20).fill(0));
  expect(turns.slice(20, 23)).toEqual([50, 100, 150]);
  expect(turns.slice(40)).toEqual(Array(20).fill(1_000));
  expect(strangers.rejectAfterMs(from('192.0.2.2'))).toBe(0);
  now = 2_000;
  expect(strangers.rejectAfterMs(from('192.0.2.1'))).toBe(0);
});

it('an address presses once it has used more than half of what it may ask at once', () => {
  for (let count = 0; count < 100; count += 1) strangers.count(from('192.0.2.1'));
  expect(strangers.isPressing(from('192.0.2.1'))).toBe(false);
  strangers.count(from('192.0.2.1'));
  expect(strangers.isPressing(from('192.0.2.1'))).toBe(true);
  expect(strangers.isPressing(from('192.0.2.2'))).toBe(false);
});
