import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { withTransaction } from '#database/database.js';
import { NOTHING } from '#event-log/fold.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { redactDocument, redactSealed } from '#invoice-documents/redact-document.js';
import { documentHash, findDocuments } from '#projections/invoices/documents.js';
import type { InvoiceNumbered, IssuedDocuments } from '#projections/events/number-events.js';
import {
  DOCUMENTS_REDACTED,
  redactionList,
  type DocumentsRedacted,
} from '#projections/events/redaction-events.js';
import { endedFiles } from './ended-files.js';
import { ifLeased } from './lease.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import { readSystemEvents } from '#event-log/system-events.js';

export interface RetentionParts {
  /** For the lease and for documents: at least two connections. */
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'appendOnce'>;
  readonly calendar: Calendar;
  /** RETENTION_YEARS. */
  readonly years: number;
}

/** A document whose term is over, with the hashes of its rows as they were issued. */
interface ExpiredDocument {
  readonly number: string;
  readonly documents: IssuedDocuments;
  readonly sealed: string;
}

type SealedRow = Pick<ExpiredDocument, 'number' | 'sealed'> & { readonly position: number };

interface ExpiredPage {
  readonly batch: readonly ExpiredDocument[];
  readonly next: number | null;
}

/** A row and what is left of it. */
interface PlannedRedaction {
  readonly sha256: string;
  readonly body: Uint8Array;
}

type Plan = Omit<DocumentsRedacted, 'by' | 'request' | 'input'> & { readonly id: string };
/** The documents that a plan is about, as its event names them. */
type Planning = Pick<Plan, 'documents' | 'first' | 'last' | 'of'>;

const DOCUMENTS_AT_ONCE = 100;
const PARTS_AT_ONCE = 1_000;
const NO_BYTES = new Uint8Array();

/**
 * Removes the parties from documents whose term is over: so many years after the end of the
 * calendar year in which they were issued. Of a batch it is planned first which rows are meant and
 * what they will be, then an event vouches for it, then the rows change. Whoever runs next finishes
 * what a fall has left, and any number of processes may run it.
 */
export class Retention {
  constructor(private readonly parts: RetentionParts) {}

  /**
   * Removes all parties due at a moment of real time (ms since 1970). Returns how many documents.
   */
  async run(now: number): Promise<number> {
    const removed = await ifLeased(this.parts.pool, 'retention', async () => {
      await this.finish(now);
      let sum = 0;
      for (let after: number | null = 0; after !== null;) {
        const { batch, next }: ExpiredPage = await this.expired(this.issuedBefore(now), after);
        after = next;
        if (batch.length === 0) continue;
        const planning = {
          documents: batch.length,
          first: batch[0]?.number ?? '',
          last: batch.at(-1)?.number ?? '',
        };
        await this.plan(await this.redacted(batch), planning, this.issuedBefore(now));
        await this.finish(now);
        sum += batch.length;
      }
      await this.endFiles(now);
      return sum;
    });
    return removed ?? 0;
  }

  /** Nothing is left of the files of closed periods: exports are made of what is left then. */
  private async endFiles(now: number): Promise<void> {
    const { pool, calendar } = this.parts;
    const { first, last, parts } = await endedFiles(pool, calendar, this.issuedBefore(now));
    for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) {
      const planned = parts
        .slice(at, at + PARTS_AT_ONCE)
        .map((sha256) => ({ sha256, body: NO_BYTES }));
      const planning = { of: 'periods', documents: 0, first, last } as const;
      await this.plan(planned, planning, this.issuedBefore(now));
      await this.finish(now);
    }
  }

  /** The first day of the calendar year whose documents are still to be kept. */
  private issuedBefore(now: number): string {
    const year = Number(this.parts.calendar.dayAt(now).label.slice(0, 4)) - this.parts.years;
    return `${String(year).padStart(4, '0')}-01-01`;
  }

  /** The next documents by number with parties that are due; the place behind them, or null. */
  private async expired(issuedBefore: string, after: number): Promise<ExpiredPage> {
    const { pool } = this.parts;
    const found = await queryAllLanes<SealedRow>(pool, {
      name: 'retention-expired',
      text: `select n.position, n.number, s.data ->> 'sha256' as sealed
               from (select id, lane, issue_date from invoice i
                      union all
                     select id, lane, issue_date from credit_note c) d
               join invoice_number n on n.document_id = d.id
               join event s on s.lane = d.lane and s.call_id = d.id
              where d.issue_date < $1 and n.position > $2
              order by n.position limit ${DOCUMENTS_AT_ONCE}`,
      values: [issuedBefore, after],
    });
    const sealed = new Map(
      found
        .toSorted((one, other) => one.position - other.position)
        .slice(0, DOCUMENTS_AT_ONCE)
        .map((one) => [one.position, one]),
    );
    const events = await readSystemEvents(pool, [...sealed.keys()]);
    const documents = events.flatMap(({ position, data }) => {
      const { documents: issued } = JSON.parse(data) as InvoiceNumbered;
      const one = sealed.get(position);
      return one === undefined ? [] : [{ ...one, documents: issued }];
    });
    const { rows } = await pool.query<{ sha256: string }>({
      name: 'retention-whole',
      text: `select encode(sha256, 'hex') as sha256 from document
              where sha256 = any ($1::bytea[]) and redaction is null`,
      values: [documents.map(({ documents: { json } }) => Buffer.from(json, 'hex'))],
    });
    const whole = new Set(rows.map(({ sha256 }) => sha256));
    return {
      batch: documents.filter(({ documents: { json } }) => whole.has(json)),
      next: sealed.size < DOCUMENTS_AT_ONCE ? null : ([...sealed.keys()].at(-1) ?? null),
    };
  }

  /** Notes in the rows what they will be; nothing is removed before the event is there. */
  private async plan(
    planned: readonly PlannedRedaction[],
    planning: Planning,
    issuedBefore: string,
  ): Promise<void> {
    const { pool, years } = this.parts;
    const id = randomUUID();
    const rows = planned.map(({ sha256, body }) => ({ sha256, redacted: documentHash(body) }));
    const plan: Plan = {
      id,
      ...planning,
      rows: rows.length,
      issued_before: issuedBefore,
      years,
      sha256: createHash('sha256').update(redactionList(rows)).digest('hex'),
    };
    await withTransaction(pool, async (client) => {
      await client.query('insert into redaction (id, plan) values ($1, $2)', [
        id,
        JSON.stringify(plan),
      ]);
      await client.query({
        name: 'retention-plan',
        text: `update document d set redaction = $1, redacted_sha256 = p.redacted, left_over = p.body
                 from unnest($2::bytea[], $3::bytea[], $4::bytea[]) as p (sha256, redacted, body)
                where d.sha256 = p.sha256`,
        values: [
          id,
          planned.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
          rows.map(({ redacted }) => Buffer.from(redacted, 'hex')),
          planned.map(({ body }) => Buffer.from(body)),
        ],
      });
    });
  }

  private async redacted(batch: readonly ExpiredDocument[]): Promise<readonly PlannedRedaction[]> {
    const hashes = batch.flatMap(({ documents, sealed }) => [documents.json, sealed]);
    const bodies = await findDocuments(this.parts.pool, hashes);
    const bodyOf = (sha256: string): Buffer => {
      const body = bodies.get(sha256);
      if (body === undefined || documentHash(body) !== sha256) {
        throw new Error(`Document ${sha256} is gone, or was changed.`);
      }
      return body;
    };
    const planned = batch.flatMap(({ documents: { json, csv, pdf, xml, cii }, sealed }) => {
      const left = redactDocument(bodyOf(json));
      return [
        { sha256: sealed, body: redactSealed(bodyOf(sealed)) },
        { sha256: json, body: left.json },
        { sha256: csv, body: left.csv },
        { sha256: pdf, body: NO_BYTES },
        ...[xml, cii].flatMap((sha256) => (sha256 ? [{ sha256, body: NO_BYTES }] : [])),
      ];
    });
    return [...new Map(planned.map((one) => [one.sha256, one])).values()];
  }

  /** Records the plan in the log, then removes the parties. */
  private async finish(now: number): Promise<void> {
    const { pool } = this.parts;
    const { rows } = await pool.query<{ plan: Plan }>(
      'select plan from redaction where done_at is null order by planned_at',
    );
    for (const { plan } of rows) {
      await this.record(plan, now);
      await withTransaction(pool, async (client) => {
        await client.query(
          `update document set body = left_over, left_over = null
            where redaction = $1 and left_over is not null`,
          [plan.id],
        );
        await client.query('update redaction set done_at = clock_timestamp() where id = $1', [
          plan.id,
        ]);
      });
    }
  }

  private async record({ id, ...plan }: Plan, now: number): Promise<void> {
    const data: DocumentsRedacted = { by: 'system', request: '', input: id, ...plan };
    await this.parts.system.appendOnce(id, NOTHING, () => ({
      type: DOCUMENTS_REDACTED,
      at: now,
      data,
    }));
  }
}
