import type { CreditedLine } from '#account/billing-events.js';
import type { CreditedAmounts } from './credit-notes.js';
import { converted } from './exchange-rates.js';
import type { CreditNote, CreditNoteLine, Invoice } from './invoice.js';
import { taxRow } from './tax.js';

/** Content of a credit note beside its amounts. */
export interface CreditNoteTerms {
  readonly id: string;
  /** A local date. */
  readonly issueDate: string;
  readonly reason: string;
}

export type CreditNoteDraft = Omit<CreditNote, 'number'>;

function noteLine(
  invoice: Pick<Invoice, 'lines'>,
  [line, amount, callId]: CreditedLine,
  index: number,
): CreditNoteLine {
  const description = invoice.lines.find(({ n }) => n === line)?.description ?? '';
  const of = callId === undefined ? {} : { call_id: callId };
  return { n: index + 1, type: 'credit', line, ...of, description, amount: 0 - amount };
}

/** A credit note without a number, with the parties of the invoice; amounts are negative. */
export function draftCreditNote(
  invoice: Invoice,
  { lines, net, tax, total, settlement, taxBefore }: CreditedAmounts,
  { id, issueDate, reason }: CreditNoteTerms,
): CreditNoteDraft {
  const [taxed] = invoice.tax_breakdown;
  return {
    type: 'credit_note',
    id,
    account_id: invoice.account_id,
    month: invoice.month,
    currency: invoice.currency,
    issue_date: issueDate,
    seller: invoice.seller,
    buyer: invoice.buyer,
    invoice: { number: invoice.number, issue_date: invoice.issue_date },
    settlement,
    reason,
    lines: lines.map((line, index) => noteLine(invoice, line, index)),
    net: -net,
    tax_breakdown: taxed === undefined ? [] : [taxRow(taxed, -net, 0 - tax)],
    tax: 0 - tax,
    total: -total,
    ...accounting(invoice, tax, taxBefore),
  };
}

/** At the rate of the invoice: parts add up to its tax in the seller's currency. */
function accounting({ currency: from, tax_accounting: of }: Invoice, tax: number, before: number) {
  if (of === undefined || tax === 0) return {};
  const { currency, rate } = of;
  const sum = (amount: number) => converted(amount, from, currency, rate);
  return { tax_accounting: { ...of, tax: sum(before) - sum(before + tax) } };
}

/** The credit note as it is issued. */
export function numberedCreditNote(draft: CreditNoteDraft, number: string): CreditNote {
  return { number, ...draft };
}
