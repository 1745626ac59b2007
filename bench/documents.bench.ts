import { createHash } from 'node:crypto';
import { ciiDocument } from '#invoice-documents/cii/cii-document.js';
import type { Invoice, InvoiceLine } from '#invoice-rules/invoice.js';
import { signPng } from '#invoice-documents/images/sample-images.suite.js';
import { pdfDocument } from '#invoice-documents/pdf/pdf-document.js';
import { renderDocuments, type RenderInput } from '#invoice-documents/render-documents.js';
import { RenderThreads } from '#invoice-documents/render-threads.js';
import { ublDocument } from '#invoice-documents/ubl/ubl-document.js';
import { eInvoiceOf, type EInvoice } from '#invoice-documents/xml/e-invoice.js';
import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import type { Stage } from './stage.js';

const PDFS = 20;
const INVOICES = 400;
/** As many as are numbered at once. */
const LIST = 50;
const TYPICAL_LINES = 10;
/** A drawn one of 120,000 pixels, partly transparent. */
const LOGO = signPng(600, 200);
const LOGO_SHA256 = createHash('sha256').update(LOGO).digest('hex');

/** An invoice of so many lines: usage, and what is billed for it. Its PDF has logo and QR code. */
function invoiceOf(lineCount: number, number: string): Invoice {
  const usage = Array.from({ length: lineCount - 1 }, (_, index): InvoiceLine => {
    const description = `Rule ${index + 1}, first calls`;
    const line = { n: index + 1, rule: `rule ${index + 1}`, description, amount: 0 };
    return { ...line, type: 'usage', kind: 'base', calls: index + 1, credits: 1000 };
  });
  const credits = 1000 * usage.length;
  const overage = { billed_credits: credits, price_per_1000_credits: 1250 };
  const net = 1250 * usage.length;
  const description = 'Usage not covered by credits';
  const last: InvoiceLine = { n: lineCount, type: 'overage', description, ...overage, amount: net };
  const address = { line1: 'Torstraße 1', city: 'Berlin', postcode: '10119', country: 'DE' };
  const party = { address, vat_id: 'DE123456788', email: 'billing@popindex.example' };
  return {
    number,
    type: 'invoice',
    id: '01930000-0000-8000-8000-00000000000a',
    account_id: '01930000-0000-7000-8000-00000000000b',
    month: '2026-10',
    period: { from: '2026-10-01', to: '2026-10-31' },
    currency: 'EUR',
    issue_date: '2026-11-01',
    due_date: '2026-11-15',
    seller: {
      ...party,
      name: 'Popindex GmbH',
      iban: 'DE89370400440532013000',
      logo_sha256: LOGO_SHA256,
    },
    buyer: { ...party, name: `Müller & Søn ${number}` },
    lines: [...usage, last],
    net,
    tax_breakdown: [{ category: 'Z', rate_percent: 0, taxable: net, tax: 0 }],
    tax: 0,
    total: net,
    account_version: { from: 1, to: 2210 },
    account_head: '5f'.repeat(32),
  };
}

function inputOf(lineCount: number, index: number): RenderInput {
  const document = invoiceOf(lineCount, `INV-${String(index).padStart(6, '0')}`);
  const weeks = ['01', '06', '13', '20', '27'].map((day) => `2026-10-${day}`);
  const usageByWeek = weeks.map((day, week) => ({ from: day, to: day, credits: 1000 * week }));
  return { document, usageByWeek, logo: LOGO };
}

function inputsOf(lineCount: number): RenderInput[] {
  return Array.from({ length: PDFS }, (_, index) => inputOf(lineCount, index));
}

function contentOf(document: RenderInput['document']): EInvoice {
  const result = eInvoiceOf(document);
  if (result.outcome !== 'complete') throw new Error('The invoice of the benchmark has no XML.');
  return result.eInvoice;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function measurePdfs(
  figures: Measurements,
  name: string,
  inputs: readonly RenderInput[],
  goal?: Goal,
): void {
  const xmls = inputs.map(({ document }) => Buffer.from(ciiDocument(contentOf(document))));
  const before = processorMs();
  inputs.forEach((input, index) => pdfDocument({ ...input, xml: xmls[index] ?? null }));
  figures.add(`${name}, processor`, 'ms', (processorMs() - before) / inputs.length, goal);
}

/** Neither logo nor code: what both add. */
function plain({ document, ...others }: RenderInput): RenderInput {
  const { iban: _iban, logo_sha256: _logo, ...seller } = document.seller;
  return { ...others, document: { ...document, seller }, logo: undefined };
}

/** XMLs with their content worked out from the document. */
function measureXmls(figures: Measurements): void {
  for (const [name, write] of [
    ['UBL', ublDocument],
    ['CII', ciiDocument],
  ] as const) {
    const before = processorMs();
    for (let index = 0; index < INVOICES; index += 1) {
      write(contentOf(invoiceOf(TYPICAL_LINES, `INV-${index}`)));
    }
    const ms = (processorMs() - before) / INVOICES;
    figures.add(`${name} of ${TYPICAL_LINES} lines, processor`, 'ms', ms, { atMost: 5 });
  }
}

function measureAllFormats(figures: Measurements): void {
  const inputs = Array.from({ length: INVOICES }, (_, index) => inputOf(TYPICAL_LINES, index));
  const [startedAt, processor] = [performance.now(), processorMs()];
  const bytes = inputs.map((input) => renderDocuments(input).pdf.length);
  const ms = performance.now() - startedAt;
  figures.add('all formats of 10 lines', 'invoices/s', (1000 * INVOICES) / ms);
  const each = (processorMs() - processor) / INVOICES;
  figures.add('all formats of 10 lines, processor', 'ms', each, { atMost: 6 });
  figures.add('PDF of 10 lines', 'kB', Math.max(...bytes) / 1000, { atMost: 40 });
}

async function measureThreads(figures: Measurements, threads: RenderThreads): Promise<void> {
  const inputs = Array.from({ length: INVOICES }, (_, index) => inputOf(TYPICAL_LINES, index));
  const startedAt = performance.now();
  const lists: Promise<unknown>[] = [];
  while (inputs.length > 0) lists.push(threads.render(inputs.splice(0, LIST)));
  await Promise.all(lists);
  const ms = performance.now() - startedAt;
  figures.add('all formats of 10 lines, in one thread', 'invoices/s', (1000 * INVOICES) / ms);
}

async function run({ options, shutdown }: Stage): Promise<readonly Series[]> {
  const threads = new RenderThreads({ count: 1 });
  shutdown.stop('the thread for documents', () => threads.stop());
  // Once for all: fonts are read and the code is compiled.
  measureAllFormats(new Measurements());
  await measureThreads(new Measurements(), threads);
  const figures = new Measurements();
  for (let round = 1; round <= options.rounds; round += 1) {
    const inputs = inputsOf(TYPICAL_LINES);
    measurePdfs(figures, 'PDF of 10 lines, logo and QR code', inputs, { atMost: 20 });
    measurePdfs(figures, 'PDF of 10 lines, neither', inputs.map(plain));
    measurePdfs(figures, 'PDF of 60 lines', inputsOf(60), { atMost: 20 });
    measurePdfs(figures, 'PDF of 2000 lines', inputsOf(2000));
    measureXmls(figures);
    measureAllFormats(figures);
    await measureThreads(figures, threads);
  }
  return figures.series();
}

export const documentsBenchmark: Benchmark = {
  name: 'documents',
  about: 'invoices as JSON, CSV, PDF and XML, without a database',
  run,
};
