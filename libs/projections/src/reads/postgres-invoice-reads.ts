import { RATE_CARDS } from '#rating/rate-card-events.js';
import type pg from 'pg';
import { type AccountState, momentOf } from '#account/state.js';
import { invoiceAccount, stateOf } from '#invoice-rules/invoice-account.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { missingFor } from '#invoice-rules/missing.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import { laneOf } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { reissueIdOf } from '../events/document-ids.js';
import { readBilling, voidingNote, type AccountBilling } from '../invoices/account-billing.js';
import { loadAccounts } from '../loading/account-loader.js';
import type { Page } from '../views/account-reads.js';
import { findGrant, readAllCalls, readCallPage } from '../usage/call-list.js';
import { readApiKeyIds } from '../usage/api-keys.js';
import { callView } from '../usage/call-view.js';
import { ANY_CALL } from '../usage/call-conditions.js';
import type { CallList } from '../usage/calls-query.js';
import { readCreditedCredits } from '../invoices/credited-credits.js';
import { readDocument, readKept } from '../invoices/documents.js';
import { readLocalDates } from './account-today.js';
import { draftView, readRunningMonth } from './draft.js';
import { PostgresHeldReads } from './held-reads.js';
import * as lists from './invoice-lists.js';
import { paymentsOf, remindersOf } from './invoice-money.js';
import { readReceivables } from './receivables.js';
import type {
  CreditNoteFilter,
  CreditNoteView,
  CreditNoteSummary,
  InvoiceDraftView,
} from '../views/invoice-reads.js';
import type {
  HeldReads,
  InvoiceFilter,
  InvoiceReads,
  InvoiceSummary,
} from '../views/invoice-reads.js';
import type {
  InvoiceView,
  IssuedDocument,
  LineCalls,
  ReceivablesView,
  Reissue,
} from '../views/invoice-reads.js';
import { findNumber, findNumbersOf, type IssuedNumber } from '../invoices/issued-numbers.js';
import {
  CREDIT_NOTE_NUMBERED,
  INVOICE_NUMBERED,
  type DocumentFormat,
} from '../events/number-events.js';
import { readParties } from '../invoices/parties.js';

/** Answers from the log, and lists over all accounts from the projection. */
export class PostgresInvoiceReads implements InvoiceReads {
  readonly held: HeldReads;

  constructor(
    private readonly pool: pg.Pool,
    private readonly system: Pick<SystemStream, 'read'>,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {
    this.held = new PostgresHeldReads(pool, system, calendar, clock);
  }

  async draft(accountId: string): Promise<InvoiceDraftView | undefined> {
    return this.inSnapshot(async (client) => {
      const stored = await this.state(client, accountId);
      if (stored === undefined) return undefined;
      const { calendar, clock } = this;
      const now = clock.now();
      const running = await readRunningMonth(client, accountId, stored, now, calendar);
      const [parties] = await readParties(client, this.system, [stored]);
      if (parties === undefined) throw new Error('An account has no parties.');
      const cards = (await this.system.read(RATE_CARDS)).map(({ card }) => card);
      return draftView(running, parties, accountId, { calendar, cards });
    });
  }

  async invoices(filter: InvoiceFilter): Promise<Page<InvoiceSummary>> {
    const { accountId } = filter;
    return this.inSnapshot(async (client) => {
      if (accountId === null) {
        const dates = await readLocalDates(client, this.calendar, this.clock.now());
        return lists.invoicesOfAll(client, dates, filter);
      }
      const state = await this.state(client, accountId);
      if (state === undefined) return { items: [], next: null };
      return lists.invoicesOfAccount(client, accountId, this.todayOf(state), filter);
    });
  }

  async invoice(accountId: string | null, number: string): Promise<InvoiceView | undefined> {
    return this.inSnapshot(async (client) => {
      const issued = await this.find(client, accountId, number, INVOICE_NUMBERED);
      if (issued === undefined) return undefined;
      const state = await this.state(client, issued.data.account_id);
      if (state === undefined) return undefined;
      const invoice = await readJson<Invoice>(client, issued);
      const billing = await readBilling(client, invoice.account_id);
      const account = invoiceAccount(invoice, billing.events);
      return {
        ...invoice,
        state: stateOf(account, this.todayOf(state)),
        credit_notes: await creditNotesOn(client, invoice, billing),
        payments: paymentsOf(invoice, billing),
        reminders: remindersOf(account, billing),
        ...(await reissueOf(client, invoice, billing)),
      };
    });
  }

  async receivables(accountId: string): Promise<ReceivablesView | undefined> {
    return this.inSnapshot(async (client) => {
      const state = await this.state(client, accountId);
      return state && readReceivables(client, accountId, state, this.todayOf(state));
    });
  }

  async creditNotes(filter: CreditNoteFilter): Promise<Page<CreditNoteSummary>> {
    const { accountId } = filter;
    return this.inSnapshot(async (client) =>
      accountId === null
        ? lists.creditNotesOfAll(client, filter)
        : lists.creditNotesOfAccount(client, accountId, filter),
    );
  }

  async creditNote(accountId: string | null, number: string): Promise<CreditNoteView | undefined> {
    return this.inSnapshot(async (client) => {
      const issued = await this.find(client, accountId, number, CREDIT_NOTE_NUMBERED);
      if (issued === undefined) return undefined;
      const note = await readJson<CreditNote>(client, issued);
      return { ...note, ...(await readCreditedCredits(client, note)) };
    });
  }

  async document(
    accountId: string | null,
    number: string,
    format: DocumentFormat,
  ): Promise<IssuedDocument | undefined> {
    return this.inSnapshot(async (client) => {
      const issued = await this.find(client, accountId, number, null);
      if (issued === undefined) return undefined;
      const { documents } = issued.data;
      const json = await readKept(client, documents.json);
      if (json.redacted !== null && !KEPT_WITHOUT_PARTIES.has(format)) return { outcome: 'gone' };
      const hash = documents[format];
      if (hash === undefined) return undefined;
      if (hash !== null) {
        const { body, redacted } = await readKept(client, hash);
        return { outcome: 'found', sha256: redacted ?? hash, body };
      }
      const missing = missingFor(await readJson<Invoice | CreditNote>(client, issued));
      return { outcome: 'missing', missing };
    });
  }

  async lineCalls(
    accountId: string | null,
    number: string,
    n: number,
  ): Promise<LineCalls | undefined> {
    return this.inSnapshot(async (client) => {
      const issued = await this.find(client, accountId, number, INVOICE_NUMBERED);
      if (issued === undefined) return undefined;
      const invoice = await readJson<Invoice>(client, issued);
      const state = await this.state(client, invoice.account_id);
      const list = await callsOfLine(client, invoice, n);
      if (state === undefined || list === undefined) return undefined;
      const view = callView(await readApiKeyIds(client, invoice.account_id, state));
      return {
        page: (after, limit, order = 'asc') =>
          readCallPage(this.pool, { ...list, order }, { after, limit, order }, view),
        every: (order = 'asc') =>
          readAllCalls(this.pool, { ...list, order }, { after: null, order }, view),
      };
    });
  }

  private async find<Type extends IssuedNumber['type']>(
    client: pg.ClientBase,
    accountId: string | null,
    number: string,
    type: Type | null,
  ): Promise<IssuedNumber | undefined> {
    const issued = await findNumber(client, number);
    if (issued === undefined || (type !== null && issued.type !== type)) return undefined;
    return accountId === null || issued.data.account_id === accountId ? issued : undefined;
  }

  private async state(client: pg.ClientBase, accountId: string): Promise<AccountState | undefined> {
    const { accounts } = await loadAccounts(client, [accountId], false);
    const state = accounts.get(accountId)?.state;
    return state !== undefined && state.version > 0 ? state : undefined;
  }

  private todayOf(state: AccountState): string {
    return this.calendar.dayAt(momentOf(state, this.clock.now())).label;
  }

  private inSnapshot<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return withTransaction(this.pool, work, 'repeatable read');
  }
}

/** The others cannot be without parties. */
const KEPT_WITHOUT_PARTIES: ReadonlySet<DocumentFormat> = new Set(['json', 'csv']);

async function readJson<Document>(
  client: pg.ClientBase,
  { data: { documents } }: IssuedNumber,
): Promise<Document> {
  const body = await readDocument(client, documents.json);
  return JSON.parse(body.toString('utf8')) as Document;
}

async function creditNotesOn(
  client: pg.ClientBase,
  { id }: Invoice,
  { events }: AccountBilling,
): Promise<string[]> {
  const ids = events.flatMap(({ type, data }) =>
    type === 'CreditNoteSealed' && data.invoice_id === id ? [data.credit_note_id] : [],
  );
  return (await findNumbersOf(client, ids)).map(({ data }) => data.number);
}

/** Nothing, unless another invoice takes its place. */
async function reissueOf(
  client: pg.ClientBase,
  { id }: Invoice,
  { events }: AccountBilling,
): Promise<Partial<Reissue>> {
  const reissue = reissueIdOf(id);
  if (voidingNote(events, reissue) === undefined) return {};
  const [issued] = await findNumbersOf(client, [reissue]);
  return { reissued_as: issued?.data.number ?? null, reissued_as_id: reissue };
}

/** The calls that a line is the sum of: of usage, and of what a grant covered. */
async function callsOfLine(
  client: pg.ClientBase,
  { account_id: accountId, account_version: { from, to }, lines }: Invoice,
  n: number,
): Promise<CallList | undefined> {
  const line = lines.find((one) => one.n === n);
  const all: CallList = {
    lane: laneOf(accountId),
    accountId,
    among: { after: from - 1, upTo: to },
    order: 'asc',
    match: ANY_CALL,
    grant: null,
  };
  if (line?.type === 'usage')
    return { ...all, match: { ...ANY_CALL, rule: line.rule, kind: line.kind } };
  if (line?.type !== 'covered') return undefined;
  const grant = await findGrant(client, { accountId, version: to }, line.grant_id);
  return grant && { ...all, grant: grant.ordinal };
}
