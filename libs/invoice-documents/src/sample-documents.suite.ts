import type {
  Buyer,
  CreditNote,
  Invoice,
  InvoiceLine,
  Seller,
  TaxBreakdown,
  TaxCategory,
} from '#invoice-rules/invoice.js';
import { taxOn } from '#invoice-rules/tax.js';
import type { RenderInput } from './render-documents.js';

// Documents to test with: the contract's example, and what is varied about it.

export const SELLER: Seller = {
  name: 'Popindex GmbH',
  address: { line1: 'Torstraße 1', city: 'Berlin', postcode: '10119', country: 'DE' },
  vat_id: 'DE123456788',
  registration_id: 'HRB 123456 B',
  email: 'billing@popindex.example',
  iban: 'DE89370400440532013000',
  payment_days: 14,
};

export const BUYER: Buyer = {
  name: 'Müller & Søn Kosmetik A/S',
  address: {
    line1: 'Strøget 12',
    line2: '3. sal',
    city: 'København',
    postcode: '1160',
    country: 'DK',
  },
  vat_id: 'DK12345678',
  email: 'ap@mueller.example',
  buyer_reference: 'Marketing',
  purchase_order: 'PO-7781',
};

/** Rate and reason of every category. */
export const TAXES: Readonly<Record<TaxCategory, Pick<TaxBreakdown, 'rate_percent' | 'reason'>>> = {
  S: { rate_percent: 19 },
  Z: { rate_percent: 0 },
  E: { rate_percent: 0, reason: 'Exempt from tax' },
  AE: { rate_percent: 0, reason: 'Reverse charge' },
  G: { rate_percent: 0, reason: 'Export outside the EU' },
  O: { rate_percent: 0, reason: 'Not subject to tax' },
};

const LINES: readonly InvoiceLine[] = [
  {
    n: 1,
    type: 'usage',
    rule: 'top 5',
    kind: 'base',
    description: 'Top 5, first calls',
    calls: 12,
    credits: 420,
    amount: 0,
  },
  {
    n: 2,
    type: 'usage',
    rule: 'all beauty trends',
    kind: 'base',
    description: 'All beauty trends, first calls',
    calls: 1,
    credits: 50000,
    amount: 0,
  },
  {
    n: 3,
    type: 'covered',
    grant_id: '01930000-0000-7000-8000-000000000001',
    description: 'Included credits',
    credits: -1000,
    amount: 0,
  },
  {
    n: 4,
    type: 'overage',
    description: 'Usage not covered by credits',
    billed_credits: 49420,
    price_per_1000_credits: 1250,
    amount: 61775,
  },
  { n: 5, type: 'fee', description: 'Monthly fee', amount: 4900 },
];

/** The contract's example, with other lines or another tax category where they are named. */
export function sampleInvoice(
  changes: Partial<Invoice> = {},
  category: TaxCategory = 'S',
): Invoice {
  const lines = changes.lines ?? LINES;
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const terms = TAXES[category];
  const tax = taxOn(net, terms.rate_percent);
  return {
    number: 'INV-000001',
    type: 'invoice',
    id: '01930000-0000-8000-8000-00000000000a',
    account_id: '01930000-0000-7000-8000-00000000000b',
    month: '2026-10',
    period: { from: '2026-10-01', to: '2026-10-31' },
    currency: 'EUR',
    issue_date: '2026-11-01',
    due_date: '2026-11-15',
    seller: SELLER,
    buyer: BUYER,
    lines,
    net,
    tax_breakdown: [{ category, ...terms, taxable: net, tax }],
    tax,
    total: net + tax,
    account_version: { from: 1, to: 2210 },
    account_head: '5f'.repeat(32),
    ...changes,
  };
}

/** A credit note over part of the overage and all of the fee of the sample invoice. */
export function sampleCreditNote(category: TaxCategory = 'S'): CreditNote {
  const net = -17400;
  const terms = TAXES[category];
  const tax = taxOn(net, terms.rate_percent);
  return {
    number: 'CN-000001',
    type: 'credit_note',
    id: '01930000-0000-8000-8000-00000000000c',
    account_id: '01930000-0000-7000-8000-00000000000b',
    month: '2026-10',
    currency: 'EUR',
    issue_date: '2026-11-20',
    seller: SELLER,
    buyer: BUYER,
    invoice: { number: 'INV-000001', issue_date: '2026-11-01' },
    reason: 'Calls made by mistake',
    lines: [
      {
        n: 1,
        type: 'credit',
        line: 4,
        call_id: '01930000-0000-7000-8000-00000000000d',
        description: 'Usage not covered by credits',
        amount: -12500,
      },
      { n: 2, type: 'credit', line: 5, description: 'Monthly fee', amount: -4900 },
    ],
    net,
    tax_breakdown: [{ category, ...terms, taxable: net, tax }],
    tax,
    total: net + tax,
  };
}

/** Lines of usage and, at the end, what is billed for them: an invoice of so many lines. */
export function manyLines(count: number): InvoiceLine[] {
  const usage = Array.from({ length: count - 1 }, (_, index): InvoiceLine => {
    const kind = index % 2 === 0 ? 'base' : 'repeat';
    const description = `Rule ${index + 1}, ${kind === 'base' ? 'first calls' : 'repeated calls'}`;
    const credits = 10 * (index + 1);
    return {
      n: index + 1,
      type: 'usage',
      rule: `rule ${index + 1}`,
      kind,
      description,
      calls: index + 1,
      credits,
      amount: 0,
    };
  });
  const credits = 5 * count * (count - 1);
  const overage: InvoiceLine = {
    n: count,
    type: 'overage',
    description: 'Usage not covered by credits',
    billed_credits: credits,
    price_per_1000_credits: 1000,
    amount: credits,
  };
  return [...usage, overage];
}

export function inputOf(document: Invoice | CreditNote): RenderInput {
  const weeks = [
    { from: '2026-10-01', to: '2026-10-05', credits: 1200 },
    { from: '2026-10-06', to: '2026-10-12', credits: 12040 },
    { from: '2026-10-13', to: '2026-10-19', credits: 30180 },
    { from: '2026-10-20', to: '2026-10-26', credits: 7000 },
    { from: '2026-10-27', to: '2026-10-31', credits: 0 },
  ];
  return { document, usageByWeek: document.type === 'invoice' ? weeks : [] };
}
