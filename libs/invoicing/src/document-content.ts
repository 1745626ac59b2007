import type pg from 'pg';
import type { CreditsGranted } from '#account/credits.js';
import type { AccountEvent } from '#account/events.js';
import type { MonthClosed } from '#account/periods.js';
import { numberedCreditNote, type CreditNoteDraft } from '#invoice-rules/draft-credit-note.js';
import { numbered } from '#invoice-rules/draft-invoice.js';
import type { CreditNote, Invoice, InvoiceDraft } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import type { WeekUsage } from '#invoice-documents/pdf/usage-chart.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { findDocuments } from '#projections/invoices/documents.js';
import { sumsOfDay } from '#projections/projections/sums-of-day.js';
import type { SealedDocument } from './sealed-document.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** A sealed document, ready to get a number. */
export interface Content {
  readonly numbered: (number: string) => Invoice | CreditNote;
  readonly weeks: readonly WeekUsage[];
  /** The image of the seller's logo. */
  readonly logo: Buffer | undefined;
}

type Draft = InvoiceDraft | CreditNoteDraft;

/** Reads what was sealed, in the order asked. Throws where it is not there any more. */
export async function readContents(
  pool: pg.Pool,
  sealed: readonly SealedDocument[],
  calendar: Calendar,
): Promise<readonly Content[]> {
  const bodies = await findDocuments(
    pool,
    sealed.map(({ data }) => data.sha256),
  );
  const invoices = sealed.filter(({ type }) => type === 'InvoiceSealed');
  const drafts = new Map(
    sealed.map(({ data: { sha256 } }) => {
      const body = bodies.get(sha256);
      if (body === undefined) throw new Error(`Document ${sha256} is not there.`);
      return [sha256, JSON.parse(body.toString('utf8')) as Draft] as const;
    }),
  );
  const draftOf = ({ data }: SealedDocument) => drafts.get(data.sha256) as InvoiceDraft;
  const ofMonths = invoices.filter((one) => !isOfDay(draftOf(one)));
  const ofPurchases = invoices.filter((one) => isOfDay(draftOf(one)));
  const draftsOf = (some: typeof invoices) => some.map(draftOf);
  const heads = new Map([
    ...(await readHeads(pool, draftsOf(ofMonths))),
    ...(await readPurchaseHeads(pool, draftsOf(ofPurchases))),
  ]);
  const weeks = await readWeeks(pool, ofMonths, calendar);
  const logos = await findDocuments(pool, [...new Set([...drafts.values()].flatMap(logoOf))]);
  return sealed.map((one) => {
    const logo = logos.get(logoOf(drafts.get(one.data.sha256))[0] ?? '');
    if (one.type === 'CreditNoteSealed') {
      const draft = drafts.get(one.data.sha256) as CreditNoteDraft;
      return { numbered: (number) => numberedCreditNote(draft, number), weeks: [], logo };
    }
    const draft = draftOf(one);
    const head = heads.get(draft.id) ?? '';
    const used = isOfDay(draft) ? [] : (weeks.get(`${one.accountId} ${one.data.month}`) ?? []);
    return {
      numbered: (number) => numbered(draft, number, head),
      weeks: used,
      logo,
    };
  });
}

/** SHA-256 of the logo, if there is one. */
function logoOf(draft: Draft | undefined): string[] {
  const sha256 = draft?.seller.logo_sha256;
  return sha256 === undefined ? [] : [sha256];
}

/** Whether an invoice bills one purchase, also where it takes the place of one that did. */
function isOfDay({ period: { from, to } }: InvoiceDraft): boolean {
  return from === to;
}

/** The head of the account's chain that the close of each month vouches for, by invoice. */
async function readHeads(
  pool: pg.Pool,
  drafts: readonly InvoiceDraft[],
): Promise<ReadonlyMap<string, string>> {
  const closes = await readEvents(pool, drafts, 'MonthClosed', 1);
  return new Map(
    closes.map(([id, { data }]) => [id, (JSON.parse(data) as MonthClosed).account_head ?? '']),
  );
}

/** The head of the account's chain after each purchase, by invoice. */
async function readPurchaseHeads(
  pool: pg.Pool,
  drafts: readonly InvoiceDraft[],
): Promise<ReadonlyMap<string, string>> {
  const purchases = await readEvents(pool, drafts, 'CreditsGranted', 0);
  return new Map(
    purchases.map(([id, stored]) => {
      const { account_head: before = '' } = JSON.parse(stored.data) as CreditsGranted;
      return [id, hashEvent(before, stored)];
    }),
  );
}

/** The event of a type so many versions `after` the last one of each invoice, by invoice. */
async function readEvents(
  pool: pg.Pool,
  drafts: readonly InvoiceDraft[],
  type: AccountEvent['type'],
  after: number,
): Promise<(readonly [documentId: string, event: StoredEvent])[]> {
  if (drafts.length === 0) return [];
  const rows = await queryByLane<EventRow & { readonly document_id: string }, InvoiceDraft>(
    pool,
    drafts,
    ({ account_id }) => laneOf(account_id),
    (own) => ({
      name: 'invoice-events',
      text: `select w.id as document_id, ${EVENT_COLUMNS}
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::uuid[])
                  as w (lane, account_id, version, id)
             join event e on e.lane = w.lane and e.account_id = w.account_id
              and e.account_version = w.version and e.type = $5`,
      values: [
        own.map(({ account_id }) => laneOf(account_id)),
        own.map(({ account_id }) => account_id),
        own.map(({ account_version: { to } }) => to + after),
        own.map(({ id }) => id),
        type,
      ],
    }),
  );
  return rows.map(({ document_id: id, ...row }) => [id, toStoredEvent(row)]);
}

/** Credits of each window as far as it lies in the month, by account and month. */
async function readWeeks(
  pool: pg.Pool,
  invoices: readonly SealedDocument[],
  calendar: Calendar,
): Promise<ReadonlyMap<string, readonly WeekUsage[]>> {
  const unread = invoices.filter(({ windows }) => windows === undefined);
  const read = await readWindows(pool, unread);
  return new Map(
    invoices.map(({ accountId, windows, data: { month } }) => {
      const used = windows ?? read.get(`${accountId} ${month}`);
      const weeks = weeksOf(month, calendar).map(({ label, ...days }) => {
        return { ...days, credits: used?.get(label) ?? 0 };
      });
      return [`${accountId} ${month}`, weeks];
    }),
  );
}

/** Credits of the windows of months, by account and month. */
async function readWindows(
  pool: pg.Pool,
  invoices: readonly SealedDocument[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  interface Row {
    readonly account_id: string;
    readonly month: string;
    readonly window: string;
    readonly credits: number;
  }
  const rows = await queryByLane<Row, SealedDocument>(
    pool,
    invoices,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'invoice-weeks',
      text: `select w.account_id, w.month, s.window, s.credits
             from unnest($1::smallint[], $2::uuid[], $3::text[]) as w (lane, account_id, month)
            cross join lateral (
              select d.window_label as window, sum(u.call_cost + u.data_cost)::bigint as credits
                from day_usage d ${sumsOfDay('call_cost', 'data_cost')}
               where d.lane = w.lane and d.account_id = w.account_id
                 and d.day between w.month || '-01' and w.month || '-31'
               group by 1) s`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ data }) => data.month),
      ],
    }),
  );
  const found = new Map<string, Map<string, number>>();
  for (const { account_id: accountId, month, window, credits } of rows) {
    const of = `${accountId} ${month}`;
    found.set(of, (found.get(of) ?? new Map<string, number>()).set(window, credits));
  }
  return found;
}

/** The windows of a month with their first and last day in it. */
function weeksOf(label: string, calendar: Calendar) {
  const month = calendar.monthOf(label);
  if (month === undefined) throw new Error(`${label} is the label of no month.`);
  const weeks: { label: string; from: string; to: string }[] = [];
  for (let at = month.startsAt; at < month.endsAt;) {
    const window = calendar.windowAt(at);
    const end = Math.min(window.endsAt, month.endsAt);
    const [from, to] = [calendar.dayAt(at).label, calendar.dayAt(end - 1).label];
    weeks.push({ label: window.label, from, to });
    at = end;
  }
  return weeks;
}
