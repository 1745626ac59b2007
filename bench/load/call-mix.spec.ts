import fc from 'fast-check';
import { CallMix } from './call-mix.js';

const CALLERS = fc.record({
  callers: fc.integer({ min: 1, max: 8 }),
  end: fc.integer({ min: 8, max: 200 }),
  calls: fc.integer({ min: 1, max: 400 }),
  repeatPercent: fc.integer({ min: 0, max: 100 }),
});

it('callers that share a list never open the same resource, and none that is not there', () => {
  fc.assert(
    fc.property(CALLERS, ({ callers, end, calls, repeatPercent }) => {
      const opened = new Set<number>();
      for (let first = 0; first < callers; first += 1) {
        const part = { caller: `caller ${first}`, first, step: callers, end };
        const mix = new CallMix(repeatPercent, part);
        const own = new Set(Array.from({ length: calls }, () => mix.next()));
        expect(mix.asked).toBe(own.size);
        const before = opened.size;
        for (const resource of own) opened.add(resource);
        expect(opened.size).toBe(before + own.size);
      }
      expect(Math.max(...opened)).toBeLessThan(end);
    }),
  );
});

it('about the given share of calls repeats one', () => {
  const mix = new CallMix(90, { caller: 'one', first: 0, step: 1, end: 100_000 });
  for (let call = 0; call < 10_000; call += 1) mix.next();
  expect(mix.asked).toBeGreaterThan(900);
  expect(mix.asked).toBeLessThan(1_100);
});
