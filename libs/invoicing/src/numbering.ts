import type pg from 'pg';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import type { RenderedDocuments } from '#invoice-documents/render-documents.js';
import { laneOf, SYSTEM_LANE, type EventLog } from '#event-log/event-log.js';
import { keepsNumbers } from '#event-log/log-losses.js';
import type { SystemDecision } from '#event-log/system-decision.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { numberIdOf } from '#projections/events/document-ids.js';
import type { LostPositionsLog } from '#service/lost-positions.js';
import { documentHash, saveDocuments, type NewDocument } from '#projections/invoices/documents.js';
import {
  CREDIT_NOTE_NUMBERED,
  DOCUMENT_FORMATS,
  INVOICE_NUMBERED,
  MEDIA_TYPES,
  numberText,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from '#projections/events/number-events.js';
import { readContents } from './document-content.js';
import { underLease } from './lease.js';
import { nextNumbers, numberOf, NUMBERS_AND_LOSSES } from './number-series.js';
import type { RenderDocuments } from './render-documents.js';
import { documentIdOf, type SealedDocument } from './sealed-document.js';
import { withEarlier } from './unnumbered.js';

export interface NumberingParts {
  /** For the lease and for documents: at least two connections. */
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly system: Pick<SystemStream, 'read' | 'appendAll'>;
  readonly calendar: Calendar;
  readonly render: RenderDocuments;
  /**
   * Returns whether numbers wait until a loss is acknowledged; without it, the log alone decides.
   */
  readonly lostPositions?: Pick<LostPositionsLog, 'keepsNumbers'> | undefined;
}

/** A sealed document under the number that it is issued with. */
export type NumberedDocument = InvoiceNumbered | CreditNoteNumbered;

interface Issue {
  readonly sealed: SealedDocument;
  readonly document: Invoice | CreditNote;
  readonly ordinal: number;
  readonly rendered: RenderedDocuments;
}

const ATTEMPTS_MAX = 20;

/**
 * Gives sealed documents their numbers in the system's lane: the next ones of their series, decided
 * on all numbers that there are, so that none is left out or given twice. The bytes of every format
 * are there before the event that names them.
 */
export class Numbering {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: NumberingParts) {}

  /**
   * Numbers what has none yet, after what was sealed before it of the same accounts. Answers all of
   * them by the document's id; without those that have none while numbers wait, because customers
   * may hold documents whose numbers were lost.
   */
  async number(sealed: readonly SealedDocument[]): Promise<ReadonlyMap<string, NumberedDocument>> {
    if (sealed.length === 0) return new Map();
    // In one process they come one after the other, so that the lease takes one connection at most.
    const turn = this.turn.then(() =>
      underLease(this.parts.pool, 'numbers', () => this.numberAll(sealed)),
    );
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Numbers that were given already, by the document's id. */
  async find(documentIds: readonly string[]): Promise<ReadonlyMap<string, NumberedDocument>> {
    const calls = documentIds.map((id) => ({ lane: SYSTEM_LANE, callId: numberIdOf(id) }));
    const found = await this.parts.log.findCalls(calls);
    return new Map(found.map(numberOf).map((event) => [event.id, event]));
  }

  private async numberAll(
    sealed: readonly SealedDocument[],
  ): Promise<ReadonlyMap<string, NumberedDocument>> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const found = await this.find(sealed.map(documentIdOf));
      const open = sealed.filter((one) => !found.has(documentIdOf(one)));
      if (open.length === 0) return found;
      const all = await withEarlier(this.parts.pool, open, (ids) => this.find(ids));
      if (!(await this.issue(all))) return found;
    }
    throw new Error('Other processes give numbers all the time.');
  }

  /** Appends nothing when another process has given numbers meanwhile. False: numbers wait. */
  private async issue(open: readonly SealedDocument[]): Promise<boolean> {
    const { pool, system, calendar, render, lostPositions = { keepsNumbers } } = this.parts;
    const [known, standing] = await system.read(NUMBERS_AND_LOSSES);
    if (lostPositions.keepsNumbers(standing)) return false;
    const series = open.map(({ data }) => data.series);
    const ordinals = nextNumbers(known, series);
    const contents = await readContents(pool, open, calendar);
    const inputs = open.map(({ data }, index) => {
      const content = contents[index];
      if (content === undefined) throw new Error('A document has no content.');
      const number = numberText(data.series, ordinals[index] ?? 0);
      const { weeks: usageByWeek, logo } = content;
      return { document: content.numbered(number), usageByWeek, logo };
    });
    const rendered = await render(inputs);
    const issues = open.map((sealed, index) =>
      issueOf(sealed, ordinals[index], inputs[index], rendered[index]),
    );
    await saveDocuments(pool, issues.flatMap(documentsOf));
    await system.appendAll(NUMBERS_AND_LOSSES, ([last, losses]) => {
      const isNext = nextNumbers(last, series).every((next, index) => next === ordinals[index]);
      return isNext && !lostPositions.keepsNumbers(losses) ? issues.map(decisionOf) : [];
    });
    return true;
  }
}

function issueOf(
  sealed: SealedDocument,
  ordinal: number | undefined,
  input: { readonly document: Invoice | CreditNote } | undefined,
  rendered: RenderedDocuments | undefined,
): Issue {
  if (ordinal === undefined || input === undefined || rendered === undefined) {
    throw new Error('A document was not rendered.');
  }
  return { sealed, document: input.document, ordinal, rendered };
}

function documentsOf({ sealed: { accountId }, rendered }: Issue): NewDocument[] {
  return DOCUMENT_FORMATS.flatMap((format) => {
    const body = rendered[format];
    return body === null ? [] : [{ accountId, mediaType: MEDIA_TYPES[format], body }];
  });
}

function decisionOf({ sealed, document, ordinal, rendered }: Issue): SystemDecision {
  const { accountId, at, data } = sealed;
  const { json, csv, pdf, xml, cii } = rendered;
  const id = documentIdOf(sealed);
  const callId = numberIdOf(id);
  const common = {
    by: 'system',
    request: '',
    input: callId,
    id,
    account_id: accountId,
    lane: laneOf(accountId),
    month: data.month,
    ordinal,
    number: document.number,
    currency: data.currency,
    total: data.total,
    documents: {
      json: documentHash(json),
      csv: documentHash(csv),
      pdf: documentHash(pdf),
      xml: xml && documentHash(xml),
      cii: cii && documentHash(cii),
    },
  };
  if (document.type === 'invoice' && sealed.type === 'InvoiceSealed') {
    const { series, due_date } = sealed.data;
    const event: InvoiceNumbered = { ...common, series, due_date };
    return { callId, type: INVOICE_NUMBERED, at, data: event };
  }
  if (document.type === 'credit_note' && sealed.type === 'CreditNoteSealed') {
    const { series, invoice_id } = sealed.data;
    const { number: invoice_number } = document.invoice;
    const event: CreditNoteNumbered = { ...common, series, invoice_id, invoice_number };
    return { callId, type: CREDIT_NOTE_NUMBERED, at, data: event };
  }
  throw new Error(`Document ${id} is not what was sealed.`);
}
