import type { InvoiceRecord } from '#account/billing-events.js';
import { decideCredit } from './credit-notes.js';
import type { CreditedAmounts, CreditRequest } from './credit-notes.js';
import { invoice, sealed, whole } from './credited-invoice.suite.js';
import { draftCreditNote, numberedCreditNote } from './draft-credit-note.js';
import { invoiceAccount, type InvoiceAccount } from './invoice-account.js';
import { buyer, seller } from './months.suite.js';

function credit(account: InvoiceAccount, request: CreditRequest): CreditedAmounts {
  const decision = decideCredit(account, request);
  if (decision.outcome === 'refused') throw new Error(JSON.stringify(decision.refusals));
  return decision;
}

function refused(account: InvoiceAccount, request: CreditRequest): unknown[] {
  const decision = decideCredit(account, request);
  if (decision.outcome === 'credited') throw new Error(JSON.stringify(decision));
  return decision.refusals.map(({ reason, index }) => [reason, index]);
}

/** The account after credit notes that must all succeed. */
function after(...requests: readonly CreditRequest[]): InvoiceAccount {
  const records: InvoiceRecord[] = [];
  for (const request of requests) {
    records.push(sealed(credit(invoiceAccount(invoice, records), request)));
  }
  return invoiceAccount(invoice, records);
}

const untouched = invoiceAccount(invoice, []);

test('the invoice of these examples', () => {
  const { net, tax, total, lines } = invoice;
  expect([net, tax, total]).toEqual([6_424, 1_221, 7_645]);
  expect(lines.map(({ type, amount }) => [type, amount])).toEqual([
    ['usage', 0],
    ['overage', 525],
    ['purchase', 999],
    ['fee', 4_900],
  ]);
});

describe('a credit note', () => {
  it('for the whole takes back every line that has an amount, and all tax', () => {
    expect(credit(untouched, whole)).toEqual({
      outcome: 'credited',
      unwritten: 0,
      lines: [
        [2, 525],
        [3, 999],
        [4, 4_900],
      ],
      net: 6_424,
      tax: 1_221,
      total: 7_645,
      settlement: { set_off: 7_645, refund: 0 },
      taxBefore: 0,
    });
  });

  it('after others takes back what they have left', () => {
    const account = after({ scope: 'lines', lines: [{ line: 4, amount: 4_000 }] });
    expect(credit(account, whole)).toMatchObject({
      lines: [
        [2, 525],
        [3, 999],
        [4, 900],
      ],
      total: 7_645 - 4_760,
    });
  });

  it('prices credits as the overage did, rounded half even', () => {
    const lines = [{ line: 2, credits: 35 }];
    expect(credit(untouched, { scope: 'lines', lines }).lines).toEqual([[2, 44]]);
  });

  it('prices calls together, and names each with its share', () => {
    const calls = ['a', 'b', 'c'].map((callId) => ({ callId, credits: 35 }));
    expect(credit(untouched, { scope: 'calls', calls })).toMatchObject({
      lines: [
        [2, 44, 'a'],
        [2, 44, 'b'],
        [2, 43, 'c'],
      ],
      net: 131,
    });
  });

  it('takes back no more for a call than is left of the overage', () => {
    const account = after({ scope: 'lines', lines: [{ line: 2, amount: 500 }] });
    const calls = [{ callId: 'a', credits: 35 }];
    expect(credit(account, { scope: 'calls', calls }).lines).toEqual([[2, 25, 'a']]);
  });

  const call = (callId: string) => ({ callId, credits: 10 });
  test.each<[string, InvoiceAccount, CreditRequest, unknown[]]>([
    ['all is credited', after(whole), whole, [['nothing-left', null]]],
    [
      'a line has nothing left',
      after({ scope: 'lines', lines: [{ line: 4, amount: 4_900 }] }),
      { scope: 'lines', lines: [{ line: 4, amount: 1 }] },
      [['amount-out-of-range', 0]],
    ],
    [
      'several lines are wrong, all reported at once',
      untouched,
      {
        scope: 'lines',
        lines: [
          { line: 9, amount: 1 },
          { line: 4, amount: 4_901 },
          { line: 3, amount: 0 },
          { line: 4, amount: 1 },
          { line: 1, credits: 35 },
          { line: 2, credits: 421 },
        ],
      },
      [
        ['line-unknown', 0],
        ['amount-out-of-range', 1],
        ['amount-out-of-range', 2],
        ['line-twice', 3],
        ['line-without-credits', 4],
        ['credits-out-of-range', 5],
      ],
    ],
    [
      'an amount is no whole number',
      untouched,
      { scope: 'lines', lines: [{ line: 4, amount: 1.5 }] },
      [['amount-out-of-range', 0]],
    ],
    [
      'a usage line, which has no amount of its own',
      untouched,
      { scope: 'lines', lines: [{ line: 1, amount: 1 }] },
      [['amount-out-of-range', 0]],
    ],
    [
      'a call was credited before',
      after({ scope: 'calls', calls: [call('a')] }),
      { scope: 'calls', calls: [call('b'), call('a')] },
      [['call-credited', 1]],
    ],
    [
      'a call is named twice',
      untouched,
      { scope: 'calls', calls: [call('a'), call('a')] },
      [['call-credited', 1]],
    ],
    [
      'the calls are worth nothing any more',
      after({ scope: 'lines', lines: [{ line: 2, amount: 525 }] }),
      { scope: 'calls', calls: [call('a')] },
      [['nothing-left', null]],
    ],
    ['nothing is asked for', untouched, { scope: 'lines', lines: [] }, [['nothing-left', null]]],
  ])('is refused where %s', (_name, account, request, refusals) => {
    expect(refused(account, request)).toEqual(refusals);
  });

  it('is refused for calls that credits have paid for', () => {
    const prepaid = { ...invoice, lines: invoice.lines.filter(({ type }) => type !== 'overage') };
    const account = invoiceAccount(prepaid, []);
    expect(refused(account, { scope: 'calls', calls: [call('a')] })).toEqual([
      ['call-not-billed', 0],
    ]);
    const calls = [call('a'), { callId: 'b', credits: 0 }];
    expect(refused(untouched, { scope: 'calls', calls })).toEqual([['call-not-billed', 1]]);
  });
});

test('a credit note is addressed as its invoice, names it, and is negative', () => {
  const calls = [{ callId: 'call-1', credits: 35 }];
  const decided = credit(untouched, { scope: 'calls', calls });
  const terms = { id: 'note-1', issueDate: '2026-11-20', reason: 'The data was wrong.' };
  const note = numberedCreditNote(draftCreditNote(invoice, decided, terms), 'CN-000001');
  expect(note).toEqual({
    number: 'CN-000001',
    type: 'credit_note',
    id: 'note-1',
    account_id: invoice.account_id,
    month: '2026-10',
    currency: 'EUR',
    issue_date: '2026-11-20',
    seller,
    buyer,
    invoice: { number: 'INV-000001', issue_date: '2026-11-01' },
    reason: 'The data was wrong.',
    lines: [
      {
        n: 1,
        type: 'credit',
        line: 2,
        call_id: 'call-1',
        description: 'Usage not covered by credits',
        amount: -44,
      },
    ],
    net: -44,
    tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: -44, tax: -8 }],
    tax: -8,
    total: -52,
    settlement: { set_off: 52, refund: 0 },
  });
});
