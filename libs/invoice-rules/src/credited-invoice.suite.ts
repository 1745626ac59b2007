import type { CreditNoteSealed, InvoiceRecord } from '#account/billing-events.js';
import type { Origin } from '#account/terms.js';
import { plan } from '#account/scenario.suite.js';
import type { CreditedAmounts, CreditRequest } from './credit-notes.js';
import { draftInvoice, numbered } from './draft-invoice.js';
import type { Invoice } from './invoice.js';
import { factsOf, invoiceTerms } from './months.suite.js';

/** Line 1 is usage, 2 the overage of 420 credits for 525, 3 a purchase for 999, 4 a fee of 4900. */
export function taxedAt(percent: number): Invoice {
  const tax = { category: 'S', rate_percent: percent } as const;
  const facts = factsOf({
    plan: { ...plan, tax },
    usage: [{ rule: 'top 5', kind: 'base', calls: 12, credits: 420 }],
    movements: [
      {
        type: 'granted',
        at: 0,
        ordinal: 1,
        id: 'grant-1',
        kind: 'purchased',
        credits: 7,
        price: 999,
      },
      { type: 'voided', at: 0, ordinal: 1, credits: 7 },
    ],
    closing: { balance: -420, overage: 420, carried: 0, grants: [] },
  });
  return numbered(draftInvoice(facts, invoiceTerms()), 'INV-000001', 'ab'.repeat(32));
}

export const invoice = taxedAt(19);

export function payment(amount: number): InvoiceRecord {
  const data = {
    payment_id: 'payment-1',
    invoice_id: invoice.id,
    amount,
    currency: invoice.currency,
    date: '2026-11-10',
    reference: null,
  };
  return { type: 'PaymentRecorded', data };
}

export function sealed(credit: CreditedAmounts, id = 'note-1'): InvoiceRecord {
  const { lines, net, tax, total } = credit;
  const data: Omit<CreditNoteSealed, keyof Origin> = {
    credit_note_id: id,
    invoice_id: invoice.id,
    month: invoice.month,
    series: 'CN',
    issue_date: '2026-11-20',
    currency: invoice.currency,
    lines,
    net,
    tax,
    total,
    sha256: '00',
  };
  return { type: 'CreditNoteSealed', data };
}

export const whole: CreditRequest = { scope: 'whole' };
