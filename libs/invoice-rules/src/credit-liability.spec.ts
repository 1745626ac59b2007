import fc from 'fast-check';
import { history, opening } from '#account/histories.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { creditLiability, grantLiability, type GrantLiability } from './credit-liability.js';
import { grantMonths, type GrantMonth } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf, utc } from './months.suite.js';

function grant(changes: Partial<GrantMonth> = {}): GrantMonth {
  const given = { ordinal: 1, id: 'grant-1', kind: 'purchased' as const, credits: 3, price: 100 };
  const gone = { given: 0, expired: 0, voided: 0, covered: 0, closing: 0 };
  const worth = { amount: changes.price === null ? 0 : 100, credits: 3 };
  return { ...given, opening: 3, ...gone, voids: [], worth, ...changes };
}

/** Credits of it that were voided, and what was left then. */
function voided(credits: number, left: number, refund?: number): GrantMonth['voids'][number] {
  return { type: 'voided', at: 0, ordinal: 1, credits, left, ...(refund && { refund }) };
}

/** Each part as `credits amount`. */
function outline({ grant_id: _id, ...parts }: GrantLiability): Record<string, string> {
  const texts = Object.entries(parts).map(([name, part]) => [
    name,
    `${part.credits} ${part.amount}`,
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

const NOTHING = {
  opening: '0 0',
  sold: '0 0',
  used: '0 0',
  expired: '0 0',
  voided: '0 0',
  closing: '0 0',
};

test.each<[string, GrantMonth, Partial<typeof NOTHING>]>([
  [
    'sold and untouched',
    grant({ opening: 0, given: 3, closing: 3 }),
    { sold: '3 100', closing: '3 100' },
  ],
  [
    'sold and partly used',
    grant({ opening: 0, given: 3, covered: 1, closing: 2 }),
    { sold: '3 100', used: '1 33', closing: '2 67' },
  ],
  [
    'used by a second credit',
    grant({ opening: 2, covered: 1, closing: 1 }),
    { opening: '2 67', used: '1 34', closing: '1 33' },
  ],
  ['used up by the third', grant({ opening: 1, covered: 1 }), { opening: '1 33', used: '1 33' }],
  [
    'used, and voided',
    grant({ covered: 1, voided: 2, voids: [voided(2, 0, 67)] }),
    { opening: '3 100', used: '1 33', voided: '2 67' },
  ],
  [
    'used, partly credited for more than its share, and used again',
    grant({ covered: 1, voided: 1, closing: 1, voids: [voided(1, 2, 60)] }),
    { opening: '3 100', used: '1 20', voided: '1 60', closing: '1 20' },
  ],
  [
    'partly credited twice, without a credit the first time, and expired',
    grant({ voided: 1, expired: 2, voids: [voided(0, 3, 10), voided(1, 2, 31)] }),
    { opening: '3 100', voided: '1 41', expired: '2 59' },
  ],
  [
    'bought without a price',
    grant({ price: null, covered: 1, closing: 2 }),
    { opening: '3 0', used: '1 0', closing: '2 0' },
  ],
])('a grant that was %s', (_name, month, parts) => {
  expect(outline(grantLiability(month))).toEqual({ ...NOTHING, ...parts });
});

test('only what was purchased is owed', () => {
  const included = grant({ id: 'grant-2', kind: 'included', price: null });
  expect(creditLiability([included, grant()]).map((row) => row.grant_id)).toEqual(['grant-1']);
});

test('each month of a grant begins with what the last one left, and all parts are its price', async () => {
  let priced = 0;
  await untilMet(
    fc.property(opening, history, (account, steps) => {
      const { closed, running } = monthFactsFromEvents(eventsOf(account, steps), utc);
      const last = new Map<string, { closing: GrantLiability['closing']; gone: number }>();
      for (const facts of running === null ? closed : [...closed, running]) {
        const prices = new Map(grantMonths(facts).map(({ id, price }) => [id, price]));
        for (const row of creditLiability(grantMonths(facts))) {
          const { used, expired, voided, sold, closing } = row;
          const before = last.get(row.grant_id) ?? { closing: { credits: 0, amount: 0 }, gone: 0 };
          expect(row.opening).toEqual(before.closing);
          const gone = used.amount + expired.amount + voided.amount;
          expect(row.opening.amount + sold.amount - gone).toBe(closing.amount);
          const since = before.gone + gone;
          last.set(row.grant_id, { closing, gone: since });
          expect(since + closing.amount).toBe(prices.get(row.grant_id) ?? 0);
          if (since > 0 && closing.amount > 0) priced += 1;
        }
      }
    }),
    {},
    () => priced > 0,
  );
  expect(priced).toBeGreaterThan(0);
});
