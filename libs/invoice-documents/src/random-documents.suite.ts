import fc from 'fast-check';
import { requiredParts } from '#invoice-rules/postal-addresses.js';
import { converted } from '#invoice-rules/exchange-rates.js';
import { priceOf } from '#invoice-rules/money.js';
import { taxOn } from '#invoice-rules/tax.js';
import type {
  Buyer,
  CreditNote,
  CreditNoteLine,
  Invoice,
  InvoiceFormat,
  InvoiceLine,
  Seller,
  TaxCategory,
} from '#invoice-rules/invoice.js';
import { anyPartiesOf, inFormat } from './random-parties.suite.js';
import { BUYER, sampleCreditNote, sampleInvoice, SELLER, TAXES } from './sample-documents.suite.js';

// Documents that are complete, and otherwise anything that can be issued.

type Unnumbered = InvoiceLine extends infer Line
  ? Line extends unknown
    ? Omit<Line, 'n'>
    : never
  : never;

const CATEGORIES = Object.keys(TAXES) as TaxCategory[];
const COUNTRIES = ['AE', 'AT', 'DE', 'FR', 'GB', 'GR', 'HK', 'IE', 'JP', 'SG', 'US'] as const;
const RATES = [0.5, 5.5, 7, 8.875, 19, 20, 25.5] as const;
const ID = '01930000-0000-7000-8000-000000000001';

/** Texts that people write, with what XML has to escape or cannot hold. */
function anyText(): fc.Arbitrary<string> {
  const words = fc.constantFrom(
    'Müller & Søn',
    'A <B> "C"',
    '株式会社',
    'Αθήνα',
    'x\u0001y',
    "d'Or",
  );
  return fc
    .oneof(words, fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }))
    .map((text) => text.trim() || 'x');
}

function anyAddress(): fc.Arbitrary<Seller['address']> {
  return fc.constantFrom(...COUNTRIES).chain((country) =>
    fc.record(
      {
        line1: anyText(),
        line2: anyText(),
        city: anyText(),
        postcode: anyText(),
        region: anyText(),
        country: fc.constant(country),
      },
      { requiredKeys: ['line1', 'country', ...requiredParts(country)] },
    ),
  );
}

function anySeller(): fc.Arbitrary<Seller> {
  return fc
    .record({ name: anyText(), address: anyAddress(), hasIban: fc.boolean() })
    .map(({ hasIban, ...own }) => {
      const { iban, ...others } = SELLER;
      return { ...others, ...own, ...(hasIban && iban !== undefined ? { iban } : {}) };
    });
}

function anyBuyer(): fc.Arbitrary<Buyer> {
  return fc
    .record(
      {
        name: anyText(),
        address: anyAddress(),
        buyer_reference: anyText(),
        purchase_order: anyText(),
      },
      { requiredKeys: ['name', 'address'] },
    )
    .map((own) => {
      const { vat_id = '', email } = BUYER;
      return { vat_id, email, ...own };
    });
}

function anyLine(): fc.Arbitrary<Unnumbered> {
  const description = fc.oneof(anyText(), fc.constant(''));
  const credits = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
  const money = fc.integer({ min: 0, max: 10 ** 9 });
  const of = { description, amount: fc.constant(0) };
  return fc.oneof(
    fc.record({
      ...of,
      type: fc.constant('usage' as const),
      rule: fc.constant('all'),
      kind: fc.constantFrom('base' as const, 'repeat' as const),
      calls: fc.nat(),
      credits,
    }),
    fc.record({ ...of, type: fc.constant('covered' as const), grant_id: fc.constant(ID), credits }),
    fc.record({ ...of, type: fc.constant('carried' as const), credits }),
    fc
      .tuple(description, fc.nat({ max: 10 ** 9 }), fc.nat({ max: 10 ** 5 }), fc.boolean())
      .map(([text, billed_credits, price, isRest]) => ({
        type: 'overage' as const,
        description: text,
        billed_credits,
        price_per_1000_credits: price,
        amount: Math.floor(priceOf(billed_credits, price) / (isRest ? 2 : 1)),
      })),
    fc.record({ type: fc.constant('fee' as const), description, amount: money }),
    fc.record({
      type: fc.constant('purchase' as const),
      description,
      amount: money,
      grant_id: fc.constant(ID),
      granted_credits: fc.nat(),
    }),
  );
}

function anyCreditLine(): fc.Arbitrary<Omit<CreditNoteLine, 'n'>> {
  return fc
    .record({
      description: anyText(),
      line: fc.integer({ min: 1, max: 99 }),
      credited: fc.nat({ max: 10 ** 9 }),
      hasCall: fc.boolean(),
    })
    .map(({ description, line, credited, hasCall }) => ({
      type: 'credit' as const,
      line,
      description,
      ...(hasCall ? { call_id: ID } : {}),
      amount: 0 - credited,
    }));
}

/** Everything but the lines and what follows from them. */
function anyTerms(format: InvoiceFormat | undefined) {
  return fc
    .record({
      currency: fc.constantFrom('EUR', 'USD', 'JPY', 'CHF'),
      seller: anySeller(),
      buyer: anyBuyer(),
      category: fc.constantFrom(...CATEGORIES),
      rate: fc.constantFrom(...RATES),
      owesInEuro: fc.boolean(),
      parties: anyPartiesOf(),
    })
    .map(({ parties, ...terms }) =>
      format === undefined ? terms : inFormat(format, terms, parties),
    );
}

interface Terms {
  readonly currency: string;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly category: TaxCategory;
  readonly rate: number;
  readonly owesInEuro: boolean;
}

const EXCHANGE_RATE = { date: '2026-10-31', rate: '0.9237', source: 'ECB' };

function amountsOf(
  { currency, category, rate, owesInEuro }: Terms,
  lines: readonly { amount: number }[],
  netBefore = 0,
) {
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const terms = category === 'S' ? { rate_percent: rate } : TAXES[category];
  // The growth of the tax: of a part it may differ by one minor unit from that of its own net.
  const tax = taxOn(netBefore + net, terms.rate_percent) - taxOn(netBefore, terms.rate_percent);
  const tax_breakdown = [{ category, ...terms, taxable: net, tax }];
  const amounts = { currency, net, tax_breakdown, tax, total: net + tax };
  if (!owesInEuro || currency === 'EUR' || tax === 0) return amounts;
  const owed = converted(tax, currency, 'EUR', EXCHANGE_RATE.rate);
  const { rate: of, date: rate_date, source: rate_source } = EXCHANGE_RATE;
  const tax_accounting = { currency: 'EUR', tax: owed, rate: of, rate_date, rate_source };
  return { ...amounts, tax_accounting };
}

/** Any invoice that has an XML. */
export function anyInvoice(format?: InvoiceFormat): fc.Arbitrary<Invoice> {
  const lines = fc.array(anyLine(), { minLength: 1, maxLength: 12 });
  const earlier = fc.option(fc.constant({ number: 'INV-000000', issue_date: '2026-10-15' }), {
    nil: undefined,
  });
  const paid = fc.constantFrom(0, 0, 1, 0.4);
  return fc.tuple(anyTerms(format), lines, earlier, paid).map(([terms, some, reissue_of, part]) => {
    const { seller, buyer } = terms;
    const numbered = some.map((line, index): InvoiceLine => ({ ...line, n: index + 1 }));
    const own = reissue_of === undefined ? {} : { reissue_of };
    const amounts = amountsOf(terms, numbered);
    const prepaid = Math.floor(amounts.total * part);
    const paying = prepaid > 0 ? { prepaid } : {};
    return sampleInvoice({ seller, buyer, lines: numbered, ...own, ...amounts, ...paying });
  });
}

/** Any credit note that has an XML. */
export function anyCreditNote(format?: InvoiceFormat): fc.Arbitrary<CreditNote> {
  const lines = fc.array(anyCreditLine(), { minLength: 1, maxLength: 12 });
  // Parts of an invoice: what was credited of it before.
  const before = fc.oneof(fc.constant(0), fc.nat({ max: 10 ** 9 }));
  return fc.tuple(anyTerms(format), lines, anyText(), before).map(([terms, some, reason, part]) => {
    const { seller, buyer } = terms;
    const numbered = some.map((line, index) => ({ ...line, n: index + 1 }));
    const amounts = amountsOf(terms, numbered, 0 - part);
    return { ...sampleCreditNote(), seller, buyer, reason, lines: numbered, ...amounts };
  });
}

/** Any document that has an XML; one of a format has all that this asks for. */
export function anyDocument(format?: InvoiceFormat): fc.Arbitrary<Invoice | CreditNote> {
  return fc.oneof(anyInvoice(format), anyCreditNote(format));
}
