import type pg from 'pg';
import { readable } from '#ledger/texts/readable.js';
import type { PaymentRecorded } from '#account/billing-events.js';
import type { ExportedPayment as PaymentOfRow } from '#billing/csv-rows.js';
import type { CreditNote, Invoice } from '#billing/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import { momentOfMs } from '#database/moment-of.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { issuedBodies } from './issued-bodies.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '#ledger/events/number-events.js';

/** Which documents are exported. */
export interface ExportScope {
  /** Months of supply, or months of issue and of payment. */
  readonly by: 'supply' | 'issue';
  /** `2026-10`. */
  readonly month: string;
  /** With those of test accounts. */
  readonly test: boolean;
  /** Of one account alone; its payments are not asked for. */
  readonly accountId?: string | undefined;
}

/** Ends of the lanes as an export began: nothing later is in it. */
export type LogEnds = ReadonlyMap<number, number>;

/** A document as it was issued, and the event that gave it its number. */
export interface ExportedInvoice {
  readonly numbered: InvoiceNumbered;
  readonly document: Invoice;
}
export interface ExportedCreditNote {
  readonly numbered: CreditNoteNumbered;
  readonly document: CreditNote;
}

/** A payment as it is exported: a line of JSON. */
export interface ExportedPayment extends Omit<PaymentOfRow, 'payment_id'> {
  readonly type: 'payment';
  readonly id: string;
  readonly recorded_at: string;
}

interface NumberRow {
  readonly position: number;
  readonly data: string;
}

interface PaymentRow extends NumberRow {
  readonly lane: number;
  /** Real time at which it was recorded, and the account's; ms since 1970. */
  readonly recorded: number;
  readonly at: number;
  readonly account_id: string;
  readonly number: string;
  readonly month: string;
}

/** Numbers are small; bodies are some kB each, so fewer of them are in memory at a time. */
const NUMBERS_AT_ONCE = 1_000;
const BODIES_AT_ONCE = 100;
const TABLES = { invoice: 'invoice', credit_note: 'credit_note' } as const;

/**
 * Documents of a month's export, some at a time and in the order of numbers. The log only grows, so
 * its ends as the export began are its snapshot, and no transaction is held open for a slow reader.
 */
export class ExportSource {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly ends: LogEnds,
    readonly scope: ExportScope,
  ) {}

  async *invoices(): AsyncGenerator<readonly ExportedInvoice[]> {
    for await (const numbers of this.numbers('invoice')) {
      yield (await this.read(numbers)) as readonly ExportedInvoice[];
    }
  }

  async *creditNotes(): AsyncGenerator<readonly ExportedCreditNote[]> {
    for await (const numbers of this.numbers('credit_note')) {
      yield (await this.read(numbers)) as readonly ExportedCreditNote[];
    }
  }

  /** Those of the invoices of a month of supply, or those that were paid in a month. */
  async *payments(): AsyncGenerator<readonly ExportedPayment[]> {
    let last: PaymentRow | undefined;
    do {
      const rows = await this.readPayments(last);
      if (rows.length > 0) yield (await readable(this.pool, rows)).map(paymentOf);
      last = rows.length < NUMBERS_AT_ONCE ? undefined : rows.at(-1);
    } while (last !== undefined);
  }

  private async *numbers(
    type: keyof typeof TABLES,
  ): AsyncGenerator<readonly (InvoiceNumbered | CreditNoteNumbered)[]> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const rows: readonly NumberRow[] = await this.readNumbers(type, after);
      const numbers = rows.map(({ data }) => JSON.parse(data) as InvoiceNumbered);
      for (let at = 0; at < numbers.length; at += BODIES_AT_ONCE) {
        yield numbers.slice(at, at + BODIES_AT_ONCE);
      }
      after = rows.length < NUMBERS_AT_ONCE ? undefined : rows.at(-1)?.position;
    }
  }

  private async read(numbers: readonly (InvoiceNumbered | CreditNoteNumbered)[]) {
    const hashes = numbers.map(({ documents }) => documents.json);
    const bodies = await issuedBodies(this.pool, hashes);
    return numbers.map((numbered, index) => {
      const text = bodies[index]?.body.toString('utf8') ?? '';
      return { numbered, document: JSON.parse(text) as unknown };
    });
  }

  private async readNumbers(type: keyof typeof TABLES, after: number): Promise<NumberRow[]> {
    const { by, month, test, accountId = null } = this.scope;
    const ofMonth = by === 'supply' ? 'd.month = $4' : 'left(d.issue_date, 7) = $4';
    const { rows } = await this.pool.query<NumberRow>({
      name: `export-${type}-by-${by}`,
      text: `select n.position, e.data::text as data
               from invoice_number n
               join ${TABLES[type]} d on d.lane = n.account_lane and d.id = n.document_id
               join event e on e.lane = n.lane and e.position = n.position
              where n.lane = ${SYSTEM_LANE} and n.type = $1
                and n.position > $2 and n.position <= $3 and ${ofMonth}
                and ($5 or d.series not like 'TEST-%')
                and ($6::uuid is null or d.account_id = $6)
              order by n.position limit ${NUMBERS_AT_ONCE}`,
      values: [type, after, this.ends.get(SYSTEM_LANE) ?? 0, month, test, accountId],
    });
    return rows;
  }

  /**
   * The rows of the audit say where payments stand. None is recorded before its month has begun,
   * but for those of test clocks, which may stand anywhere.
   */
  private async readPayments(after: PaymentRow | undefined): Promise<PaymentRow[]> {
    const { by, month, test } = this.scope;
    const startsAt = this.calendar.monthOf(month)?.startsAt ?? 0;
    const place = after ?? { recorded: test ? 0 : startsAt - 1, lane: 0, position: 0 };
    const ofMonth = by === 'supply' ? 'i.month = $4' : `left(e.data ->> 'date', 7) = $4`;
    const { rows } = await this.pool.query<PaymentRow>({
      name: `export-payments-by-${by}`,
      text: `select a.lane, a.position, (extract(epoch from a.at) * 1000)::int8 as recorded,
                    (extract(epoch from e.at) * 1000)::int8 as at, a.account_id,
                    e.data::text as data, n.number, i.month
               from audit_entry a
               join unnest($6::smallint[], $7::bigint[]) as l (lane, position) on l.lane = a.lane
               join event e on e.lane = a.lane and e.position = a.position
               join invoice i on i.lane = a.lane and i.id = (e.data ->> 'invoice_id')::uuid
               join invoice_number n on n.document_id = i.id
              where a.type = 'PaymentRecorded' and a.position <= l.position
                and (a.at, a.lane, a.position)
                    > (${momentOfMs('$1')}, $2::int2, $3::int8)
                and ${ofMonth} and ($5 or i.series not like 'TEST-%')
              order by a.at, a.lane, a.position limit ${NUMBERS_AT_ONCE}`,
      values: [
        place.recorded,
        place.lane,
        place.position,
        month,
        test,
        [...this.ends.keys()],
        [...this.ends.values()],
      ],
    });
    return rows;
  }
}

function paymentOf({ data, at, account_id, number, month }: PaymentRow): ExportedPayment {
  const { payment_id: id, date, currency, amount, reference } = JSON.parse(data) as PaymentRecorded;
  return {
    type: 'payment',
    id,
    account_id,
    invoice_number: number,
    month,
    date,
    currency,
    amount,
    reference,
    recorded_at: formatMoment(at),
  };
}
