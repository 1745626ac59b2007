import { plan } from '#account/scenario.suite.js';
import type { InvoiceLine } from './invoice.js';
import { invoiceLines, isBillable, isMonthFault, LinesDoNotAddUp } from './invoice-lines.js';
import type { MonthFacts, Movement, UsageSum } from './month-facts.js';
import { factsOf } from './months.suite.js';

const AT = Date.UTC(2026, 9, 12);

const top5: UsageSum = { rule: 'top 5', kind: 'base', calls: 12, credits: 420 };
const again: UsageSum = { rule: 'top 5', kind: 'repeat', calls: 3, credits: 30 };
const beauty: UsageSum = { rule: 'all beauty trends', kind: 'base', calls: 1, credits: 50_000 };

function granted(changes: Partial<Extract<Movement, { type: 'granted' }>> = {}): Movement {
  const grant = { ordinal: 1, id: 'grant-1', kind: 'included' as const, credits: 1_000 };
  return { type: 'granted', at: AT, ...grant, price: null, ...changes };
}

function adjusted(changes: Partial<Extract<Movement, { type: 'adjusted' }>> = {}): Movement {
  const given = { ordinal: 2, id: 'grant-2', credits: 100, callId: null };
  return { type: 'adjusted', at: AT, ...given, reason: 'Goodwill.', ...changes };
}

/** One line as `type credits amount`, whatever else it holds. */
function outline(lines: readonly InvoiceLine[]): string[] {
  return lines.map((line) => {
    const credits = 'credits' in line ? String(line.credits) : '-';
    return `${line.type} ${credits} ${line.amount}`;
  });
}

/** Sums of a month under the plan, whose overage follows from what is given. */
function planned(changes: Partial<MonthFacts>): MonthFacts {
  return factsOf({ plan: { ...plan, included_credits: 1_000 }, ...changes });
}

describe('a month under a plan', () => {
  const facts = planned({
    usage: [top5, beauty],
    movements: [granted()],
    closing: { balance: -49_420, overage: 49_420, carried: 0, grants: [] },
  });

  it('shows its usage at 0, what the grant covered, the overage and the fee', () => {
    expect(invoiceLines(facts)).toEqual([
      {
        n: 1,
        type: 'usage',
        rule: 'all beauty trends',
        kind: 'base',
        description: 'All beauty trends, first calls',
        calls: 1,
        credits: 50_000,
        amount: 0,
      },
      {
        n: 2,
        type: 'usage',
        rule: 'top 5',
        kind: 'base',
        description: 'Top 5, first calls',
        calls: 12,
        credits: 420,
        amount: 0,
      },
      {
        n: 3,
        type: 'covered',
        grant_id: 'grant-1',
        description: 'Included credits',
        credits: -1_000,
        amount: 0,
      },
      {
        n: 4,
        type: 'overage',
        description: 'Usage not covered by credits',
        billed_credits: 49_420,
        price_per_1000_credits: 1_250,
        amount: 61_775,
      },
      { n: 5, type: 'fee', description: 'Monthly fee', amount: 4_900 },
    ]);
  });

  it('is not issued where the lines are not what was billed', () => {
    const wrong = { ...facts, usage: [beauty] };
    expect(() => invoiceLines(wrong)).toThrow(
      new LinesDoNotAddUp('2026-10', 'Billed credits', 49_000, 49_420),
    );
    expect(() => invoiceLines(wrong)).toThrow(
      'Billed credits of 2026-10: the lines add up to 49000, the log to 49420.',
    );
  });

  it('is not issued where the balance is another one, though the overage fits', () => {
    const closing = { ...facts.closing, balance: -49_419 };
    expect(() => invoiceLines({ ...facts, closing })).toThrow(/Balance at the end/);
  });
});

describe('the lines of', () => {
  const purchased = { ordinal: 1, id: 'grant-1', kind: 'purchased' as const };
  const cases: [name: string, facts: MonthFacts, lines: string[]][] = [
    ['an idle month without a plan', factsOf(), []],
    [
      'an idle month under a plan',
      planned({
        movements: [granted()],
        closing: { balance: 1_000, overage: 0, carried: 0, grants: [[1, 1_000]] },
      }),
      ['fee - 4900'],
    ],
    [
      'a prepaid month: what was bought, and usage that it covered',
      factsOf({
        usage: [top5, again],
        movements: [granted({ kind: 'purchased', credits: 10_000, price: 9_900 })],
        closing: { balance: 9_550, overage: 0, carried: 0, grants: [[1, 9_550]] },
      }),
      ['usage 420 0', 'usage 30 0', 'covered -450 0', 'purchase - 9900'],
    ],
    [
      'a debt that is repaid by a later purchase',
      factsOf({
        opening: { balance: -420, grants: [] },
        movements: [granted({ kind: 'purchased', price: 900 })],
        closing: { balance: 580, overage: 0, carried: 0, grants: [[1, 580]] },
      }),
      ['covered -420 0', 'carried 420 0', 'purchase - 900'],
    ],
    [
      'a debt that grows and is carried on',
      factsOf({
        usage: [top5],
        opening: { balance: -100, grants: [] },
        closing: { balance: -520, overage: 0, carried: 520, grants: [] },
      }),
      ['usage 420 0', 'carried 100 0', 'carried -520 0'],
    ],
    [
      'a debt from before the plan, which is billed',
      planned({
        opening: { balance: -100, grants: [] },
        closing: { balance: -100, overage: 100, carried: 0, grants: [] },
      }),
      ['carried 100 0', 'overage - 125', 'fee - 4900'],
    ],
    [
      'credits given back, of which a part paid for this month',
      factsOf({
        usage: [again],
        movements: [adjusted()],
        closing: { balance: 70, overage: 0, carried: 0, grants: [[2, 70]] },
      }),
      ['usage 30 0', 'adjustment -30 0'],
    ],
    [
      'credits given back that paid for nothing yet',
      factsOf({
        movements: [adjusted()],
        closing: { balance: 100, overage: 0, carried: 0, grants: [[2, 100]] },
      }),
      ['adjustment 0 0'],
    ],
    [
      'credits given back a month before',
      factsOf({
        usage: [again],
        opening: {
          balance: 70,
          grants: [
            { ordinal: 2, id: 'grant-2', kind: 'adjustment', credits: 100, price: null, left: 70 },
          ],
        },
        closing: { balance: 40, overage: 0, carried: 0, grants: [[2, 40]] },
      }),
      ['usage 30 0', 'covered -30 0'],
    ],
    [
      'credits taken by hand from a grant',
      factsOf({
        opening: { balance: 500, grants: [{ ...purchased, credits: 500, price: 1, left: 500 }] },
        movements: [adjusted({ ordinal: null, id: null, credits: -200 })],
        closing: { balance: 300, overage: 0, carried: 0, grants: [[1, 300]] },
      }),
      ['adjustment 200 0', 'covered -200 0'],
    ],
    [
      'a grant that expired and one that was voided, both partly used',
      factsOf({
        usage: [again],
        opening: { balance: 500, grants: [{ ...purchased, credits: 500, price: 1, left: 500 }] },
        movements: [
          granted({ ordinal: 2, id: 'grant-2', kind: 'promotional' }),
          { type: 'expired', at: AT, ordinal: 1, credits: 480 },
          { type: 'voided', at: AT, ordinal: 2, credits: 990 },
        ],
        closing: { balance: 0, overage: 0, carried: 0, grants: [] },
      }),
      ['usage 30 0', 'covered -20 0', 'covered -10 0'],
    ],
  ];

  test.each(cases)('%s', (_name, facts, lines) => {
    expect(outline(invoiceLines(facts))).toEqual(lines);
  });
});

test('the calls of a rule are one line for each kind, in whatever pieces they come', () => {
  const facts = factsOf({
    usage: [again, { ...top5, calls: 2, credits: 70 }, again, { ...top5, calls: 10, credits: 350 }],
    closing: { balance: -480, overage: 0, carried: 480, grants: [] },
  });
  const usage = invoiceLines(facts).filter((line) => line.type === 'usage');
  expect(usage.map(({ kind, calls, credits }) => [kind, calls, credits])).toEqual([
    ['base', 12, 420],
    ['repeat', 6, 60],
  ]);
});

test('facts that contradict each other are no invoice', () => {
  const grants = [[7, 10]] as const;
  const closing = { balance: 10, overage: 0, carried: 0, grants };
  expect(() => invoiceLines(factsOf({ closing }))).toThrow(
    'The facts of 2026-10 contradict each other: nobody gave grant 7.',
  );
  const more = { ...closing, balance: 2_000, grants: [[1, 2_000]] as const };
  expect(() => invoiceLines(factsOf({ movements: [granted()], closing: more }))).toThrow(
    'The facts of 2026-10 contradict each other: grant 1 paid for -1000 credits.',
  );
});

const free = { ...plan, monthly_fee: 0 };

test('a plan without a fee has no line for it', () => {
  expect(invoiceLines(factsOf({ plan: free }))).toEqual([]);
});

const dear = { ...plan, price_per_1000_credits: Number.MAX_SAFE_INTEGER };
const nothingLeft = { balance: -9_000, overage: 9_000, carried: 0, grants: [] };
const debt = { balance: -9_000, grants: [] };

test.each([
  ['lines that do not add up', planned({ closing: nothingLeft })],
  ['a grant that nobody gave', factsOf({ closing: { ...nothingLeft, grants: [[7, 1]] } })],
  ['an overage without a plan', factsOf({ opening: debt, closing: nothingLeft })],
  ['an amount that is too large', factsOf({ plan: dear, opening: debt, closing: nothingLeft })],
])('%s: the fault of that month alone', (_name, facts) => {
  let thrown: unknown;
  try {
    invoiceLines(facts);
  } catch (error) {
    thrown = error;
  }
  expect(isMonthFault(thrown)).toBe(true);
  expect(isMonthFault(new Error('The database is away.'))).toBe(false);
});

test.each([
  ['calls that credits paid for', factsOf({ usage: [again] }), false],
  ['a fee', planned({}), true],
  ['a purchase', factsOf({ movements: [granted({ kind: 'purchased', price: 0 })] }), true],
  [
    'an overage without calls',
    factsOf({ plan: free, closing: { balance: -1, overage: 1, carried: 0, grants: [] } }),
    true,
  ],
  ['nothing', factsOf(), false],
  ['a plan without a fee', factsOf({ plan: free }), false],
  ['a grant without a price', factsOf({ movements: [granted()] }), false],
  [
    'an expiry',
    factsOf({ movements: [{ type: 'expired', at: AT, ordinal: 1, credits: 1 }] }),
    false,
  ],
])('a month with %s: is there an invoice? %p', (_name, facts, answer) => {
  expect(isBillable(facts)).toBe(answer);
});
