import { CATEGORY_RULES } from './en16931-categories.suite.js';
import { AMOUNT, BUYER, cents, SELLER, VAT_ID, type Rule, type UblTree } from './ubl-tree.suite.js';
import { all, attributes, text, texts, xmlTree, type XmlTree } from '../xml/xml-tree.suite.js';

// The business rules of EN 16931-1 for totals and required terms, written from the standard and
// without any of the code that writes the XML.

const TOTALS = 'cac:LegalMonetaryTotal';
const HUNDRED = 100;
/** Percentages have at most four decimals. */
const RATE_SCALE = 10_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function has(tree: XmlTree, ...paths: string[]): boolean {
  return paths.every((path) => text(tree, path) !== undefined);
}

function total(ubl: UblTree, name: string): number {
  return cents(text(ubl.root, `${TOTALS}/cbc:${name}`));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function everyLine(holds: (line: XmlTree, ubl: UblTree) => boolean): Rule[1] {
  return (ubl) => ubl.lines.every((line) => holds(line, ubl));
}

const QUANTITIES = ['cbc:InvoicedQuantity', 'cbc:CreditedQuantity'];

function quantityOf(line: XmlTree): string | undefined {
  return QUANTITIES.flatMap((name) => texts(line, name))[0];
}

/**
 * Whether an amount is a product of hundredths over a divisor, rounded to the smallest amount of
 * its currency: yen have no decimals. Exact: doubles lose the halves of large amounts. `isPart`:
 * less than a whole one off.
 */
function isRounded(
  amount: string,
  [a, b]: readonly [number, number],
  divisor: number,
  isPart = false,
): boolean {
  if (![cents(amount), a, b, divisor].every(Number.isSafeInteger)) return false;
  const smallest = amount.includes('.') ? 1n : BigInt(HUNDRED);
  const over = BigInt(cents(amount)) * BigInt(divisor) - BigInt(a) * BigInt(b);
  const off = over < 0n ? -over : over;
  return isPart ? off < BigInt(divisor) * smallest : 2n * off <= BigInt(divisor) * smallest;
}

const TERMS: readonly Rule[] = [
  [
    'BR-01',
    ({ root }) => text(root, 'cbc:CustomizationID')?.startsWith('urn:cen.eu:en16931:2017') === true,
  ],
  ['BR-02', ({ root }) => has(root, 'cbc:ID')],
  ['BR-03', ({ root }) => DATE.test(text(root, 'cbc:IssueDate') ?? '')],
  [
    'BR-04',
    ({ root, isInvoice }) =>
      text(root, isInvoice ? 'cbc:InvoiceTypeCode' : 'cbc:CreditNoteTypeCode') ===
      (isInvoice ? '380' : '381'),
  ],
  ['BR-05', ({ root }) => /^[A-Z]{3}$/.test(text(root, 'cbc:DocumentCurrencyCode') ?? '')],
  ['BR-06', ({ root }) => has(root, `${SELLER}/cac:PartyLegalEntity/cbc:RegistrationName`)],
  ['BR-07', ({ root }) => has(root, `${BUYER}/cac:PartyLegalEntity/cbc:RegistrationName`)],
  ['BR-08', ({ root }) => all(root, `${SELLER}/cac:PostalAddress`).length === 1],
  [
    'BR-09',
    ({ root }) => has(root, `${SELLER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`),
  ],
  ['BR-10', ({ root }) => all(root, `${BUYER}/cac:PostalAddress`).length === 1],
  [
    'BR-11',
    ({ root }) => has(root, `${BUYER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`),
  ],
  ['BR-12', (ubl) => !Number.isNaN(total(ubl, 'LineExtensionAmount'))],
  ['BR-13', (ubl) => !Number.isNaN(total(ubl, 'TaxExclusiveAmount'))],
  ['BR-14', (ubl) => !Number.isNaN(total(ubl, 'TaxInclusiveAmount'))],
  ['BR-15', (ubl) => !Number.isNaN(total(ubl, 'PayableAmount'))],
  ['BR-16', ({ lines }) => lines.length > 0],
  ['BR-21', everyLine((line) => has(line, 'cbc:ID'))],
  ['BR-22', everyLine((line) => quantityOf(line) !== undefined)],
  [
    'BR-23',
    everyLine((line) => QUANTITIES.some((name) => attributes(line, name, 'unitCode').length > 0)),
  ],
  ['BR-24', everyLine((line) => has(line, 'cbc:LineExtensionAmount'))],
  ['BR-25', everyLine((line) => has(line, 'cac:Item/cbc:Name'))],
  ['BR-26', everyLine((line) => has(line, 'cac:Price/cbc:PriceAmount'))],
  ['BR-27', everyLine((line) => Number(text(line, 'cac:Price/cbc:PriceAmount')) >= 0)],
  [
    'BR-29',
    ({ root }) =>
      (text(root, 'cac:InvoicePeriod/cbc:StartDate') ?? '') <=
      (text(root, 'cac:InvoicePeriod/cbc:EndDate') ?? ''),
  ],
  ['BR-45', ({ subtotals }) => subtotals.every((row) => has(row, 'cbc:TaxableAmount'))],
  ['BR-46', ({ subtotals }) => subtotals.every((row) => has(row, 'cbc:TaxAmount'))],
  ['BR-47', ({ subtotals }) => subtotals.every((row) => has(row, 'cac:TaxCategory/cbc:ID'))],
  [
    'BR-48',
    ({ subtotals }) =>
      subtotals.every(
        (row) =>
          has(row, 'cac:TaxCategory/cbc:Percent') || text(row, 'cac:TaxCategory/cbc:ID') === 'O',
      ),
  ],
  [
    'BR-50',
    ({ root }) =>
      all(root, 'cac:PaymentMeans').every(
        (means) =>
          has(means, 'cac:PayeeFinancialAccount/cbc:ID') ||
          text(means, 'cbc:PaymentMeansCode') === '1',
      ),
  ],
  [
    'BR-55',
    ({ root }) =>
      all(root, 'cac:BillingReference').every((reference) =>
        has(reference, 'cac:InvoiceDocumentReference/cbc:ID'),
      ),
  ],
  [
    'BR-62',
    ({ root }) =>
      [SELLER, BUYER].every(
        (party) =>
          all(root, `${party}/cbc:EndpointID`).length ===
          attributes(root, `${party}/cbc:EndpointID`, 'schemeID').length,
      ),
  ],
];

const CALCULATIONS: readonly Rule[] = [
  ['BR-CO-04', everyLine((line) => has(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'))],
  [
    'BR-CO-09',
    ({ root }) =>
      [SELLER, BUYER].every((party) =>
        texts(root, `${party}/${VAT_ID}`).every((id) => /^[A-Z]{2}/.test(id)),
      ),
  ],
  [
    'BR-CO-10',
    (ubl) =>
      total(ubl, 'LineExtensionAmount') ===
      sum(ubl.lines.map((line) => cents(text(line, 'cbc:LineExtensionAmount')))),
  ],
  ['BR-CO-13', (ubl) => total(ubl, 'TaxExclusiveAmount') === total(ubl, 'LineExtensionAmount')],
  [
    'BR-CO-14',
    ({ root, subtotals }) =>
      cents(text(root, 'cac:TaxTotal/cbc:TaxAmount')) ===
      sum(subtotals.map((row) => cents(text(row, 'cbc:TaxAmount')))),
  ],
  [
    'BR-CO-15',
    (ubl) =>
      total(ubl, 'TaxInclusiveAmount') ===
      total(ubl, 'TaxExclusiveAmount') + cents(text(ubl.root, 'cac:TaxTotal/cbc:TaxAmount')),
  ],
  [
    'BR-CO-16',
    (ubl) =>
      total(ubl, 'PayableAmount') ===
      total(ubl, 'TaxInclusiveAmount') -
        cents(text(ubl.root, 'cac:LegalMonetaryTotal/cbc:PrepaidAmount') ?? '0'),
  ],
  [
    // The official rule tolerates less than 1.00. The taxes of parts add up to the invoice's.
    'BR-CO-17',
    ({ subtotals, isInvoice }) =>
      subtotals.every((row) => {
        const percent = text(row, 'cac:TaxCategory/cbc:Percent') ?? '0';
        const rate = Math.round(Number(percent) * RATE_SCALE);
        const taxable = cents(text(row, 'cbc:TaxableAmount'));
        const tax = text(row, 'cbc:TaxAmount') ?? '';
        return isRounded(tax, [taxable, rate], HUNDRED * RATE_SCALE, !isInvoice);
      }),
  ],
  ['BR-CO-18', ({ subtotals }) => subtotals.length > 0],
  [
    'BR-CO-19',
    ({ root }) =>
      all(root, 'cac:InvoicePeriod').every(
        (period) => has(period, 'cbc:StartDate') || has(period, 'cbc:EndDate'),
      ),
  ],
  [
    'BR-CO-25',
    (ubl) =>
      total(ubl, 'PayableAmount') <= 0 ||
      has(ubl.root, 'cbc:DueDate') ||
      has(ubl.root, 'cac:PaymentTerms/cbc:Note'),
  ],
  [
    'BR-CO-26',
    ({ root }) =>
      has(root, `${SELLER}/cac:PartyLegalEntity/cbc:CompanyID`) || has(root, `${SELLER}/${VAT_ID}`),
  ],
  [
    'BR-LIN',
    everyLine((line) => {
      const price = cents(text(line, 'cac:Price/cbc:PriceAmount'));
      const base = Number(text(line, 'cac:Price/cbc:BaseQuantity') ?? '1');
      const amount = text(line, 'cbc:LineExtensionAmount') ?? '';
      return isRounded(amount, [Number(quantityOf(line)), price], base);
    }),
  ],
];

/** BR-DEC-*: each amount of the document has at most two decimals, and its currency. */
const DECIMALS: readonly Rule[] = [
  ...['LineExtensionAmount', 'TaxExclusiveAmount', 'TaxInclusiveAmount', 'PayableAmount'].map(
    (name): Rule => [`BR-DEC ${name}`, (ubl) => !Number.isNaN(total(ubl, name))],
  ),
  [
    'BR-DEC-13',
    ({ root }) => texts(root, 'cac:TaxTotal/cbc:TaxAmount').every((tax) => AMOUNT.test(tax)),
  ],
  [
    'BR-DEC-19',
    ({ subtotals }) => subtotals.every((row) => AMOUNT.test(text(row, 'cbc:TaxableAmount') ?? '')),
  ],
  [
    'BR-DEC-20',
    ({ subtotals }) => subtotals.every((row) => AMOUNT.test(text(row, 'cbc:TaxAmount') ?? '')),
  ],
  ['BR-DEC-23', everyLine((line) => AMOUNT.test(text(line, 'cbc:LineExtensionAmount') ?? ''))],
  [
    'BR-CURRENCY',
    ({ root }) => {
      const currencies = JSON.stringify(root).matchAll(/"@currencyID":"([^"]*)"/g);
      const own = text(root, 'cbc:DocumentCurrencyCode');
      const owed = text(root, 'cbc:TaxCurrencyCode');
      return Array.from(currencies).every(([, one]) => one === own || one === owed);
    },
  ],
  [
    'BR-53',
    ({ root }) => {
      const owed = text(root, 'cbc:TaxCurrencyCode');
      const currencies = attributes(root, 'cac:TaxTotal/cbc:TaxAmount', 'currencyID');
      return currencies.length === (owed === undefined ? 1 : 2) && currencies.at(1) === owed;
    },
  ],
  [
    'PEPPOL-EN16931-R005',
    ({ root }) => text(root, 'cbc:TaxCurrencyCode') !== text(root, 'cbc:DocumentCurrencyCode'),
  ],
];

const RULES: readonly Rule[] = [...TERMS, ...CALCULATIONS, ...DECIMALS, ...CATEGORY_RULES];

/** Rules of EN 16931, and others that are named, that a UBL document breaks. */
export function brokenRules(xml: string, others: readonly Rule[] = []): string[] {
  return brokenRulesOf(xmlTree(xml), others);
}

/** The same of a document that was read already. */
export function brokenRulesOf(tree: XmlTree, others: readonly Rule[] = []): string[] {
  const isInvoice = all(tree, 'Invoice').length === 1;
  const [root] = all(tree, isInvoice ? 'Invoice' : 'CreditNote');
  if (root === undefined) return ['BR-ROOT'];
  const ubl: UblTree = {
    root,
    isInvoice,
    lines: all(root, isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine'),
    subtotals: all(root, 'cac:TaxTotal/cac:TaxSubtotal'),
  };
  return [...RULES, ...others].filter(([, holds]) => !holds(ubl)).map(([id]) => id);
}
