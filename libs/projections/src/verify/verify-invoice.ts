import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import type { AccountEvent } from '#account/events.js';
import type { Tax } from '#account/terms.js';
import { canonicalText, draftInvoice, draftPurchase } from '#invoice-rules/draft-invoice.js';
import { draftReissue, type InvoiceTerms } from '#invoice-rules/draft-invoice.js';
import { isMonthFault } from '#invoice-rules/invoice-lines.js';
import type { CreditNote, Invoice, InvoiceDraft } from '#invoice-rules/invoice.js';
import { monthFactsFromEvents } from '#invoice-rules/month-facts-from-events.js';
import { voidedSince } from '#invoice-rules/movements.js';
import type { Calendar } from '#calendar/calendar.js';
import { laneOf } from '#event-log/event-log.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { FIRST_HEAD } from '#event-log/hash-chain.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { readVoids } from '../events/month-events.js';
import { readEvent } from '../snapshots/account-tail.js';
import { readBilling, voidingNote } from '../invoices/account-billing.js';
import { documentHash, findKept, isSound, readDocument } from '../invoices/documents.js';
import { readable } from '../texts/readable.js';
import { findNumber, findNumbersOf, type IssuedNumber } from '../invoices/issued-numbers.js';
import { DOCUMENT_FORMATS } from '../events/number-events.js';
import { creditNoteRule } from './credit-note-rule.js';
import { differencesOf, type DocumentRule } from './invoice-differences.js';
import { printedExchange, printedDifferences } from './printed-rate.js';

export interface DocumentReport {
  readonly number: string;
  readonly intact: boolean;
  readonly rules: readonly DocumentRule[];
}

type IssuedDocument = Invoice | CreditNote;

const EVENTS_AT_ONCE = 10_000;

/**
 * Verifies an issued invoice or credit note against the log: the bytes of every format against
 * their hashes, its content against the sealed one, and an invoice's lines and head against all
 * events of the account up to the month's close, recomputed in the slow way that is the reference;
 * a credit note's lines and amounts against its invoice as it stood before.
 * Takes as long, and as much memory, as there are events. Undefined: the number was not given.
 */
export async function verifyInvoice(
  pool: pg.Pool,
  number: string,
  calendar: Calendar,
): Promise<DocumentReport | undefined> {
  const issued = await findNumber(pool, number);
  if (issued === undefined) return undefined;
  const { bodies, differences } = await readBodies(pool, issued);
  const rules: DocumentRule[] = [
    { rule: 'the bytes of every format are those that were issued', differences },
  ];
  const kept = bodies.get(issued.data.documents.json);
  if (kept !== undefined) {
    const document = JSON.parse(kept.body.toString('utf8')) as IssuedDocument;
    const sealed = await readSeal(pool, issued);
    rules.push({
      rule: 'it says what was sealed before it had a number',
      differences: sealDifferences(issued, document, sealed, kept.redacted !== null),
    });
    rules.push(
      ...(document.type === 'invoice'
        ? await contentRules(pool, document, sealed, calendar)
        : [await creditNoteRule(pool, document)]),
    );
  }
  return { number, intact: rules.every((one) => one.differences.length === 0), rules };
}

async function readBodies(pool: pg.Pool, { data: { documents } }: IssuedNumber) {
  const named = DOCUMENT_FORMATS.flatMap((format) => {
    const sha256 = documents[format];
    return sha256 ? [{ format, sha256 }] : [];
  });
  const bodies = await findKept(
    pool,
    named.map(({ sha256 }) => sha256),
  );
  const differences = named.flatMap(({ format, sha256 }) => {
    const kept = bodies.get(sha256);
    if (kept === undefined) return [`The ${format} with SHA-256 ${sha256} is not there.`];
    const found = documentHash(kept.body);
    return isSound(sha256, kept)
      ? []
      : [`The ${format} has SHA-256 ${found}, the log says ${sha256}.`];
  });
  return { bodies, differences };
}

/** The sealed text: the document without the members that came with its number. */
function sealedText(document: IssuedDocument): string {
  const { number: _number, ...rest } = document;
  if (rest.type === 'credit_note') return canonicalText(rest);
  const { account_head: _head, calls_tree: _tree, ...draft } = rest;
  return canonicalText(draft);
}

/** The seal of a document; a credit note has the tax of its invoice. */
type Seal = Pick<InvoiceSealed, 'sha256' | 'billing_tax' | 'grant_id' | 'reissues'>;

async function readSeal(
  pool: pg.Pool,
  { data: { id, account_id } }: IssuedNumber,
): Promise<Seal | undefined> {
  const reference = { lane: laneOf(account_id), callId: id };
  const [event] = await new PostgresEventLog(pool).findCalls([reference]);
  return event && (JSON.parse(event.data) as Seal);
}

function sealDifferences(
  { data: { id, number } }: IssuedNumber,
  document: IssuedDocument,
  sealed: Seal | undefined,
  isRedacted: boolean,
): string[] {
  if (sealed === undefined) return [`The log holds no event that sealed ${id}.`];
  const { sha256 } = sealed;
  const found = documentHash(Buffer.from(sealedText(document)));
  return [
    ...(document.number === number ? [] : [`It is ${document.number}, the log says ${number}.`]),
    // Without its parties it is not what was sealed: the event that removed them vouches for it.
    ...(isRedacted || found === sha256
      ? []
      : [`Its content has SHA-256 ${found}, what was sealed ${sha256}.`]),
  ];
}

interface History {
  readonly events: readonly AccountEvent[];
  /** Of the account's chain after the invoice's last event. */
  readonly head: string;
}

/** All events of the account up to and with the one that closed the month. */
async function readHistory(
  pool: pg.Pool,
  { account_id, account_version: { to } }: Invoice,
): Promise<History> {
  const log = new PostgresEventLog(pool);
  const events: AccountEvent[] = [];
  let head = FIRST_HEAD;
  while (events.length <= to) {
    const limit = Math.min(EVENTS_AT_ONCE, to + 1 - events.length);
    const page = await log.readAccount(account_id, events.length, limit);
    for (const event of page) {
      if (event.accountVersion > to) continue;
      head = hashEvent(head, event);
    }
    events.push(...(await readable(pool, page)).map(readEvent));
    if (page.length < limit) break;
  }
  return { events, head };
}

async function contentRules(
  pool: pg.Pool,
  invoice: Invoice,
  sealed: Seal | undefined,
  calendar: Calendar,
): Promise<DocumentRule[]> {
  const { events, head } = await readHistory(pool, invoice);
  const isHead = head === invoice.account_head;
  const draft = () => {
    if (sealed?.reissues !== undefined) return draftOfReissue(pool, invoice, sealed);
    return sealed?.grant_id === undefined
      ? draftOfMonth(pool, invoice, sealed?.billing_tax, events, calendar)
      : draftOfPurchase(pool, invoice, sealed, events, calendar);
  };
  return [
    {
      rule: "the account's chain of hashes leads to its head",
      differences: isHead ? [] : [`The chain leads to ${head}, it says ${invoice.account_head}.`],
    },
    {
      rule: "its lines and amounts follow from the account's events",
      differences: [
        ...(await contentDifferences(invoice, draft)),
        ...(await printedDifferences(pool, invoice)),
      ],
    },
  ];
}

async function contentDifferences(
  invoice: Invoice,
  draft: () => InvoiceDraft | Promise<InvoiceDraft>,
): Promise<string[]> {
  try {
    return differencesOf(invoice, await draft());
  } catch (error) {
    if (error instanceof NotInLog || isMonthFault(error)) return [error.message];
    throw error;
  }
}

/** The events do not hold what an invoice is of. */
class NotInLog extends Error {
  override readonly name = 'NotInLog';
}

/** The dates and parties that were printed, and the tax that was sealed. */
function termsOf(invoice: Invoice, billingTax: Tax | undefined): InvoiceTerms {
  const { id, account_id: accountId, currency, seller, buyer } = invoice;
  const dates = { issueDate: invoice.issue_date, dueDate: invoice.due_date };
  const exchange = printedExchange(invoice);
  return { id, accountId, currency, seller, buyer, billingTax, exchange, ...dates };
}

/** The invoice of a month, without what was voided between its close and that invoice. */
async function draftOfMonth(
  pool: pg.Pool,
  invoice: Invoice,
  billingTax: Tax | undefined,
  events: readonly AccountEvent[],
  calendar: Calendar,
): Promise<InvoiceDraft> {
  const { month, account_id: accountId } = invoice;
  const facts = monthFactsFromEvents(events, calendar).closed.find((one) => one.month === month);
  if (facts === undefined) throw new NotInLog(`The events close no month ${month}.`);
  const later = await readVoids(pool, [{ accountId, first: facts.version.to + 2 }]);
  const since = voidedSince(facts.movements, later.get(accountId) ?? []);
  return draftInvoice({ ...facts, ...since }, termsOf(invoice, billingTax));
}

/** The invoice of a purchase, without what was voided before it was invoiced. */
async function draftOfPurchase(
  pool: pg.Pool,
  invoice: Invoice,
  { grant_id: grantId, billing_tax: tax = NO_TAX }: Seal,
  events: readonly AccountEvent[],
  calendar: Calendar,
): Promise<InvoiceDraft> {
  const { account_id: accountId, account_version: of } = invoice;
  const event = events[of.to - 1];
  if (event?.type !== 'CreditsGranted' || event.data.grant_id !== grantId) {
    throw new NotInLog(`Event ${of.to} of the account is not purchase ${grantId ?? ''}.`);
  }
  const later = await readVoids(pool, [{ accountId, first: of.to }]);
  const voided = (later.get(accountId) ?? []).flatMap((one) =>
    one.type === 'GrantVoided' && one.data.grant_id === grantId ? [one.data] : [],
  );
  const unbilled = voided.find(({ refund_by: by }) => by === 'lower_invoice');
  const purchase = {
    grantId,
    credits: event.data.credits - (unbilled?.credits ?? 0),
    amount: (event.data.price ?? 0) - (unbilled?.refund ?? 0),
    day: calendar.dayAt(event.at).label,
    version: of.to,
  };
  return draftPurchase(purchase, tax, termsOf(invoice, undefined));
}

/** An invoice in the place of a void one, which is verified by its own number. */
async function draftOfReissue(
  pool: pg.Pool,
  invoice: Invoice,
  { reissues: of = '', billing_tax: tax = NO_TAX }: Seal,
): Promise<InvoiceDraft> {
  const note = voidingNote((await readBilling(pool, invoice.account_id)).events, invoice.id);
  const [issued] = await findNumbersOf(pool, [of]);
  if (note === undefined || issued === undefined) {
    throw new NotInLog(`The events void no invoice ${of} for this one.`);
  }
  const body = await readDocument(pool, issued.data.documents.json);
  const voided = JSON.parse(body.toString('utf8')) as Invoice;
  return draftReissue(voided, note.lines, tax, termsOf(invoice, undefined));
}

const NO_TAX: Tax = { category: 'O', rate_percent: 0 };
