import fc from 'fast-check';
import type { InvoiceRecord } from '#account/billing-events.js';
import { plan } from '#account/scenario.suite.js';
import { draftInvoice, numbered } from './draft-invoice.js';
import { divideGiveBacks, type GivenBack } from './give-back.js';
import { invoiceAccount } from './invoice-account.js';
import type { Invoice } from './invoice.js';
import { factsOf, invoiceTerms } from './months.suite.js';

/** An invoice that bills calls as far as nothing covered them. */
function invoiceOf(billed: number, price: number): Invoice {
  const usage = [{ rule: 'top 5', kind: 'base' as const, calls: 1, credits: billed }];
  const closing = { balance: -billed, overage: billed, carried: 0, grants: [] };
  const facts = factsOf({ plan: { ...plan, price_per_1000_credits: price }, usage, closing });
  return numbered(draftInvoice(facts, invoiceTerms()), 'INV-000001', 'ab'.repeat(32));
}

function recordOf(invoice: Invoice, id: string, { note }: GiveBack): InvoiceRecord[] {
  if (note === null) return [];
  const { outcome: _outcome, ...amounts } = note;
  const data = { ...amounts, credit_note_id: id, invoice_id: invoice.id, month: invoice.month };
  const rest = { series: 'CN', issue_date: '2026-12-01', currency: 'USD', sha256: '00' } as const;
  return [{ type: 'CreditNoteSealed', data: { ...data, ...rest } }];
}

/** The instruments that give a call back: together they come to its charge. */
interface GiveBack extends Pick<GivenBack, 'note'> {
  readonly adjusted: number;
}

/** Gives calls back one after the other. */
function givenBack(invoice: Invoice, calls: readonly (readonly [number, number])[]): GiveBack[] {
  const records: InvoiceRecord[] = [];
  return calls.map(([charged, uncovered], index) => {
    const callId = `call-${index}`;
    const call = { callId, charged, uncovered };
    const { note, adjusted } = divideGiveBacks(invoiceAccount(invoice, records), [call]);
    const divided = { note, adjusted: adjusted.get(callId) ?? 0 };
    records.push(...recordOf(invoice, `note-${index}`, divided));
    return divided;
  });
}

describe('a call of an invoiced month', () => {
  it.each<[string, number, number, number, number | null]>([
    ['wholly billed is credited', 35, 35, 0, 44],
    ['paid with credits is given back as credits', 35, 0, 35, null],
    ['paid by half is both', 70, 35, 35, 44],
    ['beyond the overage is credits as far as that', 1_000, 1_000, 580, 525],
  ])('that was %s', (_what, charged, uncovered, adjusted, net) => {
    const [divided] = givenBack(invoiceOf(420, 1_250), [[charged, uncovered]]);
    expect([divided?.adjusted, divided?.note?.net ?? null]).toEqual([adjusted, net]);
  });

  it('is credits where its part has no price, or all of it was credited before', () => {
    const free = givenBack(invoiceOf(420, 0), [[35, 35]]);
    const spent = givenBack(invoiceOf(420, 1_250), [
      [420, 420],
      [35, 35],
    ]);
    const last = [free.at(-1), spent.at(-1)];
    expect(last).toEqual([
      { note: null, adjusted: 35 },
      { note: null, adjusted: 35 },
    ]);
  });

  it('gets all of its charge back, and all calls together never more money than was billed', () => {
    const call = fc
      .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 60_000 }))
      .map(([charged, debt]) => [charged, Math.min(charged, debt)] as const);
    const billed = fc.integer({ min: 1, max: 200_000 });
    const price = fc.integer({ min: 1, max: 5_000 });
    const calls = fc.array(call, { minLength: 1, maxLength: 12 });
    const check = fc.property(billed, price, calls, (overage, cents, made) => {
      const invoice = invoiceOf(overage, cents);
      const line = invoice.lines.find(({ type }) => type === 'overage');
      const divided = givenBack(invoice, made);
      const net = divided.reduce((sum, { note }) => sum + (note?.net ?? 0), 0);
      const tax = divided.reduce((sum, { note }) => sum + (note?.tax ?? 0), 0);
      expect(net).toBeLessThanOrEqual(line?.amount ?? 0);
      expect(tax).toBeLessThanOrEqual(invoice.tax);
      for (const [index, { adjusted, note }] of divided.entries()) {
        const [charged, uncovered] = made[index] ?? [0, 0];
        expect(adjusted).toBeGreaterThanOrEqual(note === null ? charged : charged - uncovered);
        expect(adjusted).toBeLessThanOrEqual(note === null ? charged : charged - 1);
      }
    });
    fc.assert(check, { numRuns: 200 });
  });
});
