import { uuidOfParts } from '#web/uuid.js';
import type { BankEntry } from './bank-entry.js';
import { Matching, numbersIn, type MatchedInvoice } from './match-entries.js';

const NAILS = uuidOfParts('nails');
const ROSA = uuidOfParts('rosa');

function invoice(number: string, due: number, members: Partial<MatchedInvoice> = {}) {
  const of = { account_id: NAILS, names: ['Nails & Co', 'Nails & Co. Ltd'], currency: 'EUR' };
  return { number, due, due_date: `2026-12-${number.slice(-2)}`, ...of, ...members };
}

const OF_ROSA = { account_id: ROSA, names: ['Müller-Rosa GmbH'] };
const INVOICES: readonly MatchedInvoice[] = [
  invoice('INV-000001', 100),
  invoice('INV-000002', 250),
  invoice('INV-000003', 100, OF_ROSA),
  invoice('INV-000004', 700, OF_ROSA),
  invoice('INV-000005', 0, OF_ROSA),
  invoice('INV-000006', 400, { ...OF_ROSA, currency: 'USD' }),
  invoice('INV-000007', 900, { names: ['Nails & Co'] }),
  invoice('INV-000008', 900, { names: ['NAILS & CO'] }),
  invoice('TEST-INV-000001', 333, { names: ['Trial'] }),
];

function entry(amount: number, text: string, name: string | null = null): BankEntry {
  const dates = { booking_date: '2026-12-08', value_date: null };
  const id = uuidOfParts(String(amount), text, name ?? '');
  const of = { place: 'entry 1', currency: 'EUR', iban: null, bank_reference: null, ignored: null };
  return { id, amount, text, name, ...dates, ...of };
}

const matched = (of: BankEntry) => new Matching(INVOICES, new Map()).match(of);

it.each([
  ['INV-000001', ['INV-000001']],
  ['Rechnung inv 1, danke', ['INV-000001']],
  ['RF18INV000002', ['INV-000002']],
  ['INV-0000 03 24.11.2026', ['INV-000000', 'INV-000003', 'INV-000324']],
  ['INV-000001/INV-000002', ['INV-000001', 'INV-000002']],
  ['TEST-INV-000001', ['TEST-INV-000001']],
  ['INV-2026-11 or an INVOICE of 2026', []],
  ['Kto RINV-1', []],
])('"%s" names %j', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

describe('an entry', () => {
  it.each([
    ['its invoice', 100, 'INV-000001', [['INV-000001', 100]], 0, 0],
    ['a part of its invoice', 60, 'INV-000001', [['INV-000001', 60]], 0, 40],
    ['more than its invoice', 130, 'INV-000001', [['INV-000001', 100]], 30, 0],
    [
      'two invoices, the older one first',
      300,
      'INV-000002 INV-000001',
      [
        ['INV-000001', 100],
        ['INV-000002', 200],
      ],
      0,
      50,
    ],
    ['the open one of two', 700, 'INV-000005 + INV-000004', [['INV-000004', 700]], 0, 0],
    ['the one in its currency', 700, 'INV-000006 INV-000004', [['INV-000004', 700]], 0, 0],
  ] as const)('that names %s is proposed for it', (_what, amount, text, apply, kept, remains) => {
    expect(matched(entry(amount, text))).toMatchObject({
      outcome: 'proposed',
      matched_by: 'number',
      apply: apply.map(([number, part]) => ({ number, amount: part })),
      credit_balance: kept,
      remains,
    });
  });

  it.each(['NAILS & CO LTD', 'Nails & Co.', ' nails  '])(
    'of the open amount and the name "%s" is proposed, and says so',
    (name) => {
      const proposed = { outcome: 'proposed', matched_by: 'amount_and_name', account_id: NAILS };
      expect(matched(entry(250, 'Thanks', name))).toMatchObject(proposed);
      expect(matched(entry(700, '', 'Muller Rosa'))).toMatchObject({ account_id: ROSA });
    },
  );

  it.each([
    ['invoices of two accounts', entry(200, 'INV-000001 INV-000003'), 'several accounts', 2],
    ['a paid invoice', entry(100, 'INV-000005'), 'Nothing of INV-000005 is due', 1],
    ['another currency', entry(400, 'INV-000006'), 'INV-000006 is in USD.', 1],
    ['the name of two invoices', entry(900, '', 'Nails & Co'), 'fit several invoices', 2],
    ['the amount of others', entry(100, '', 'Somebody'), 'the name does not', 2],
    ['the name alone', entry(5, '', 'Nails & Co'), 'the amount does not', 4],
  ])('with %s is ambiguous', (_what, of, reason, candidates) => {
    const match = matched(of);
    expect(match).toMatchObject({ outcome: 'ambiguous', reason: expect.stringContaining(reason) });
    expect(match.outcome === 'ambiguous' && match.candidates.length).toBe(candidates);
  });

  it.each([
    ['without anything known', entry(123, 'Thanks', 'Somebody'), 'unmatched'],
    ['of the amount of a test account alone', entry(333, '', 'Trial'), 'unmatched'],
    ['that names a test account', entry(333, 'TEST-INV-000001'), 'proposed'],
    ['of money that went out', entry(-100, 'INV-000001'), 'ignored'],
    ['that the file leaves out', { ...entry(100, 'INV-000001'), ignored: 'Pending.' }, 'ignored'],
  ])('%s is %s', (_what, of, outcome) => {
    expect(matched(of).outcome).toBe(outcome);
  });

  it('pays what the entries before it have left', () => {
    const matching = new Matching(INVOICES, new Map());
    const outcomes = [
      entry(60, 'INV-000001'),
      entry(40, 'INV-000001 again'),
      entry(100, 'INV-000001 too much'),
      entry(60, 'INV-000001'),
    ].map((one) => matching.match(one));
    expect(outcomes).toMatchObject([
      { outcome: 'proposed', remains: 40 },
      { outcome: 'proposed', remains: 0 },
      { outcome: 'ambiguous' },
      { outcome: 'ignored', reason: expect.stringContaining('stands in the file before') },
    ]);
  });

  it('that was confirmed before is booked, or proposed for that account alone', () => {
    const of = entry(100, 'INV-000001');
    const match = (booked: boolean) =>
      new Matching(INVOICES, new Map([[of.id, { account_id: ROSA, booked }]])).match(of);
    expect(match(true)).toEqual({ outcome: 'already_booked', account_id: ROSA });
    expect(match(false)).toMatchObject({
      matched_by: 'confirmed_account',
      account_id: ROSA,
      apply: [{ number: 'INV-000003', amount: 100 }],
    });
  });
});
