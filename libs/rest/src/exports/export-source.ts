import type pg from 'pg';
import { readable } from '#projections/texts/readable.js';
import type { PaymentRecorded, RefundRecorded, WriteOffRecorded } from '#account/billing-events.js';
import type { ExportedPayment as PaymentOfRow } from '#invoice-rules/csv-rows.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import { momentOfMs } from '#database/moment-of.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { issuedBodies } from './issued-bodies.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '#projections/events/number-events.js';
import { queryByLane } from '#event-log/query-by-lane.js';
import { readSystemEvents } from '#event-log/system-events.js';

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

/** `7:120 8:3`: positions of the lanes that have events. */
export function positionsText(ends: LogEnds): string {
  const used = [...ends].filter(([, position]) => position > 0);
  return used.map(([lane, position]) => `${lane}:${position}`).join(' ');
}

/** An export, and how far the log was read for it at least. */
export interface Export<Content> {
  readonly ends: LogEnds;
  readonly content: Content;
}

/** A document as it was issued, and the event that gave it its number. */
export interface ExportedInvoice {
  readonly numbered: InvoiceNumbered;
  readonly document: Invoice;
}
export interface ExportedCreditNote {
  readonly numbered: CreditNoteNumbered;
  readonly document: CreditNote;
}

/** A part of a payment, refund or write-off as it is exported: a line of JSON. */
export interface ExportedPayment extends Omit<PaymentOfRow, 'payment_id' | 'document'> {
  readonly type: PaymentOfRow['document'];
  readonly id: string;
  readonly recorded_at: string;
}

interface NumberRow {
  readonly position: number;
  readonly data: string;
}

interface PaymentRow extends NumberRow {
  readonly lane: number;
  readonly type: keyof typeof SETTLEMENTS;
  /** 1, 2, 3, … of the event: one for each invoice, the last one for the rest. */
  readonly part: number;
  readonly amount: number;
  /** Real time at which it was recorded, and the account's; ms since 1970. */
  readonly recorded: number;
  readonly at: number;
  readonly account_id: string;
  /** Null: the part changes the credit balance. */
  readonly number: string | null;
  readonly month: string | null;
}

/** Numbers are small; bodies are some kB each, so fewer of them are in memory at a time. */
const NUMBERS_AT_ONCE = 1_000;
const BODIES_AT_ONCE = 100;
/** Types of events, and the sign of their amounts as what came in. */
const SETTLEMENTS = {
  PaymentRecorded: { type: 'payment', sign: 1 },
  RefundRecorded: { type: 'refund', sign: -1 },
  WriteOffRecorded: { type: 'write_off', sign: 1 },
} as const;
/** SQL for the amounts that an event sets against invoices; older ones pay one invoice. */
const APPLIED = `coalesce(e.data -> 'applied',
  json_build_array(json_build_array(e.data ->> 'invoice_id', e.data -> 'amount')))`;
const TABLES = { invoice: 'invoice', credit_note: 'credit_note' } as const;

/**
 * Documents of a month's export, some at a time and in the order of numbers. The log only grows, so
 * its ends as the export began are its snapshot, and no transaction is held open for a slow reader.
 */
export class ExportSource {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    readonly ends: LogEnds,
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

  private async readNumbers(
    type: keyof typeof TABLES,
    after: number,
  ): Promise<readonly NumberRow[]> {
    const { by, month, test, accountId = null } = this.scope;
    const ofMonth = by === 'supply' ? 'd.month = $4' : 'left(d.issue_date, 7) = $4';
    const { rows } = await this.pool.query<{ position: number }>({
      name: `export-${type}-by-${by}`,
      text: `select n.position
               from invoice_number n
               join ${TABLES[type]} d on d.lane = n.account_lane and d.id = n.document_id
              where n.lane = ${SYSTEM_LANE} and n.type = $1
                and n.position > $2 and n.position <= $3 and ${ofMonth}
                and ($5 or d.series not like 'TEST-%')
                and ($6::uuid is null or d.account_id = $6)
              order by n.position limit ${NUMBERS_AT_ONCE}`,
      values: [type, after, this.ends.get(SYSTEM_LANE) ?? 0, month, test, accountId],
    });
    return readSystemEvents(
      this.pool,
      rows.map(({ position }) => position),
    );
  }

  /**
   * The rows of the audit say where payments stand. None is recorded before its month has begun,
   * but for those of test clocks, which may stand anywhere.
   */
  private async readPayments(after: PaymentRow | undefined): Promise<PaymentRow[]> {
    const { by, month, test } = this.scope;
    const startsAt = this.calendar.monthOf(month)?.startsAt ?? 0;
    const place = after ?? { recorded: test ? 0 : startsAt - 1, lane: 0, position: 0, part: 0 };
    const ofMonth = by === 'supply' ? 'i.month = $4' : `left(e.data ->> 'date', 7) = $4`;
    const rows = await queryByLane<PaymentRow, [lane: number, position: number]>(
      this.pool,
      [...this.ends],
      ([lane]) => lane,
      (ends) => ({
        name: `export-payments-by-${by}`,
        text: `select a.lane, a.position, (extract(epoch from a.at) * 1000)::int8 as recorded,
                    (extract(epoch from e.at) * 1000)::int8 as at, a.account_id, a.type,
                    e.data::text as data, n.number, i.month, p.part::int8 as part, p.amount
               from audit_entry a
               join unnest($6::smallint[], $7::bigint[]) as l (lane, position) on l.lane = a.lane
               join event e on e.lane = a.lane and e.position = a.position
              cross join lateral (
                select (part ->> 0)::uuid as invoice_id, (part ->> 1)::int8 as amount, nth as part
                  from json_array_elements(${APPLIED}) with ordinality as t (part, nth)
                 union all
                select null, (e.data ->> 'amount')::int8
                             - (select coalesce(sum((part ->> 1)::int8), 0)
                                  from json_array_elements(${APPLIED}) as t (part)),
                       json_array_length(${APPLIED}) + 1) p
               left join invoice i on i.lane = a.lane and i.id = p.invoice_id
               left join invoice_number n on n.document_id = i.id
               join ledger_account o on o.lane = a.lane and o.account_id = a.account_id
              where a.type = any ($8) and a.position <= l.position and p.amount <> 0
                and (a.at, a.lane, a.position, p.part)
                    > (${momentOfMs('$1')}, $2::int2, $3::int8, $9::int8)
                and ${ofMonth} and ($5 or not (o.state ->> 'test')::boolean)
              order by a.at, a.lane, a.position, p.part limit ${NUMBERS_AT_ONCE}`,
        values: [
          place.recorded,
          place.lane,
          place.position,
          month,
          test,
          ends.map(([lane]) => lane),
          ends.map(([, position]) => position),
          Object.keys(SETTLEMENTS),
          place.part,
        ],
      }),
    );
    return rows.toSorted(byPlace).slice(0, NUMBERS_AT_ONCE);
  }
}

/** The order of an export. */
function byPlace(one: PaymentRow, other: PaymentRow): number {
  return (
    one.recorded - other.recorded ||
    one.lane - other.lane ||
    one.position - other.position ||
    one.part - other.part
  );
}

function paymentOf(row: PaymentRow): ExportedPayment {
  const { type: name, data, at, account_id, number, month, amount } = row;
  const { type, sign } = SETTLEMENTS[name];
  const event = JSON.parse(data) as PaymentRecorded & RefundRecorded & WriteOffRecorded;
  const { payment_id, refund_id, write_off_id, date, currency, reference } = event;
  return {
    type,
    id: payment_id ?? refund_id ?? write_off_id,
    account_id,
    invoice_number: number,
    month,
    date,
    currency,
    amount: sign * amount,
    reference: reference ?? null,
    recorded_at: formatMoment(at),
  };
}
