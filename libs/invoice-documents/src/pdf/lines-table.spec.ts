import type { InvoiceLine, Language } from '#invoice-rules/invoice.js';
import { lineIn } from '#invoice-rules/line-words.js';
import { BUYER, inputOf, sampleInvoice } from '../sample-documents.suite.js';
import { pdfDocument } from './pdf-document.js';
import { readPdf } from './pdf-reader.suite.js';

const UNUSED: InvoiceLine = {
  n: 1,
  type: 'adjustment',
  reason: 'Goodwill',
  call_id: null,
  description: 'Adjustment: Goodwill',
  credits: 0,
  amount: 0,
};

test.each<[Language, string]>([
  ['en', 'Adjustment: Goodwill (not used in this month) 0'],
  ['de', 'Anpassung: Goodwill (in diesem Monat nicht genutzt) 0'],
  ['fr', 'Ajustement : Goodwill (non utilisé ce mois-ci) 0'],
])('in %s an adjustment that its month did not use says so: %s', (language, said) => {
  const buyer = { ...BUYER, language };
  const invoice = sampleInvoice({ buyer, lines: [lineIn(UNUSED, language)] });
  const { pages } = readPdf(pdfDocument({ ...inputOf(invoice), xml: null }));
  expect(pages.join(' ').replace(/\s+/g, ' ')).toContain(said);
});
