import type pg from 'pg';
import { converted } from '#invoice-rules/exchange-rates.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { hasRate } from './printed-rate.js';
import type { LaneFindings } from './findings.js';

type IssuedDocument = Invoice | CreditNote;

/** Tax of a credit note is what its invoice's shrinks by: rounding may move it by one. */
const SLACK = { invoice: 0, credit_note: 1 } as const;

/** Documents that state their tax in another currency: at a rate that was set, and converted. */
export async function checkExchanges(
  client: pg.ClientBase,
  hashes: readonly string[],
  findings: LaneFindings,
): Promise<void> {
  const { rows } = await client.query<{ sha256: string; body: Buffer }>({
    name: 'verify-exchanges',
    text: `select encode(sha256, 'hex') as sha256, body from document
            where sha256 = any ($1::bytea[]) and position('"tax_accounting"'::bytea in body) > 0`,
    values: [hashes.map((sha256) => Buffer.from(sha256, 'hex'))],
  });
  for (const { sha256, body } of rows) {
    const document = JSON.parse(body.toString('utf8')) as IssuedDocument;
    const { currency, tax, tax_accounting: stated } = document;
    if (stated === undefined) continue;
    const owed = converted(tax, currency, stated.currency, stated.rate);
    const isSet = await hasRate(client, document);
    if (isSet && Math.abs(owed - stated.tax) <= SLACK[document.type]) continue;
    const expected = { tax: owed, rate: isSet ? stated.rate : 'one that the log sets' };
    const key = `sha256 ${sha256}, in lane ${findings.lane}`;
    findings.add('documents', { table: 'document', key, expected, found: stated });
  }
}
