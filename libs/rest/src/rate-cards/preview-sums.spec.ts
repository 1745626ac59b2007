import fc from 'fast-check';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { priceOf } from '#rating/rate.js';
import { resourceKey } from '#rating/resource-key.js';
import { anyResource } from '#rating/resource.suite.js';
import { PreviewSums, PreviewTooLargeError, totalOf, type CallGroup } from './preview-sums.js';

const TOP_5 = '/v1/2026w48/cat1/trends/top5/popindex/us/beauty';
const dearer = { call_cost: 12, rules: [{ name: 'all', match: {}, data_cost: { per_row: 7 } }] };

function sumOf(card: typeof dearer, ...groups: CallGroup[]) {
  const sums = new PreviewSums(card);
  for (const group of groups) sums.add(group);
  return sums.byAccount();
}

const first = { accountId: 'a', first: { key: TOP_5, rows: 5 }, credits: 35, calls: 1 };
const repeats = { accountId: 'a', first: null, credits: 10, calls: 20 };

describe('a preview', () => {
  it('prices first calls by their rows, and repeats at the call cost', () => {
    expect(sumOf(dearer, first, repeats).get('a')).toEqual({
      calls: 21,
      actual: 35 + 200,
      preview: 12 + 35 + 20 * 12,
    });
  });

  it('keeps accounts apart, and adds them up', () => {
    const sums = sumOf(dearer, first, { ...repeats, accountId: 'b' });
    expect([...sums.keys()]).toEqual(['a', 'b']);
    expect(totalOf(sums.values())).toEqual({ calls: 21, actual: 235, preview: 47 + 240 });
    expect(totalOf([])).toEqual({ calls: 0, actual: 0, preview: 0 });
  });

  it('by the card that was in force gives what was charged', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(anyResource, fc.nat({ max: 5_000 }), fc.constantFrom('2026w47', '2026w48')),
        ),
        (calls) => {
          const sums = new PreviewSums(RATE_CARD_1);
          for (const [resource, rows, label] of calls) {
            const { cost } = priceOf(RATE_CARD_1, resource, rows);
            const key = resourceKey(resource, label);
            sums.add({
              accountId: 'a',
              first: { key, rows },
              credits: cost[0] + cost[1],
              calls: 1,
            });
          }
          const { actual, preview } = totalOf(sums.byAccount().values());
          expect(preview).toBe(actual);
        },
      ),
    );
  });

  it('is refused where it adds up to more than whole numbers hold', () => {
    const absurd = { ...dearer, call_cost: Number.MAX_SAFE_INTEGER - 100 };
    expect(() => sumOf(absurd, repeats)).toThrow(PreviewTooLargeError);
    const one = sumOf(absurd, { ...repeats, calls: 1 });
    expect(() => totalOf([...one.values(), ...one.values()])).toThrow(PreviewTooLargeError);
  });
});
