import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import type { Origin } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { canonicalText, draftInvoice, dueDate } from '#billing/draft-invoice.js';
import type { InvoiceDraft } from '#billing/invoice.js';
import { isBillable } from '#billing/invoice-lines.js';
import type { UsageSum } from '#billing/month-facts.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { AccountLoader } from '#ledger/loading/account-loader.js';
import {
  readClosedMonths,
  type ClosedMonth,
  type MonthReading,
} from '#ledger/invoices/closed-months.js';
import { PAYMENT_DAYS } from '#ledger/reads/draft.js';
import { invoiceIdOf } from '#ledger/events/document-ids.js';
import { readLogUsage } from '#ledger/invoices/log-usage.js';
import { saveDocuments } from '#ledger/invoices/documents.js';
import type { Decider } from '#deciding/submission.js';
import { checkMonth, isDifference } from './check-month.js';
import { readParties, type Parties } from '#ledger/invoices/parties.js';
import { sealOf, type SealedDocument } from './sealed-document.js';

export interface SealingParts {
  readonly pool: pg.Pool;
  readonly accounting: Decider;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** The outcome of a month to invoice. */
export type Sealing =
  | { readonly outcome: 'sealed'; readonly sealed: SealedDocument; readonly isNew: boolean }
  /** There is nothing to bill, or it was invoiced. */
  | { readonly outcome: 'skipped' }
  /** Its calls are not in all rows yet, or something else happened: to be tried again. */
  | { readonly outcome: 'not-yet' }
  /** Nothing is issued until somebody has looked. */
  | { readonly outcome: 'differs'; readonly error: Error };

const WAIT_MS = 10_000;

interface Prepared {
  readonly reading: MonthReading;
  readonly state: AccountState;
  readonly draft: InvoiceDraft;
  readonly parties: Parties;
  readonly text: Buffer;
}

/**
 * Makes the invoices of closed months, at most one of each account, and seals them in their
 * accounts' lanes. The id of an invoice is that of its account and month, so it is sealed once,
 * whoever tries.
 */
export class MonthSealing {
  constructor(private readonly parts: SealingParts) {}

  async seal(months: readonly ClosedMonth[]): Promise<readonly Sealing[]> {
    const { pool, calendar, loader, system } = this.parts;
    const readings = await withTransaction(
      pool,
      (client) => readClosedMonths(client, months, calendar),
      'repeatable read',
    );
    const { accounts } = await loader.loadCores(readings.map(({ accountId }) => accountId));
    const states = readings.map(({ accountId }) => stateOf(accounts, accountId));
    const parties = await readParties(pool, system, states);
    const open = readings.filter((reading, index) => !isInvoiced(reading, states[index]));
    const wanted = new Set(open.map(({ accountId }) => accountId));
    const logUsage = await readLogUsage(
      pool,
      months.filter(({ accountId }) => wanted.has(accountId)),
    );
    const prepared = readings.map((reading, index) =>
      this.prepare(reading, logUsage.get(reading.accountId) ?? [], states[index], parties[index]),
    );
    const drafts = prepared.flatMap((one) => ('draft' in one ? [one] : []));
    await saveDocuments(pool, drafts.map(documentOf));
    const sealings = await Promise.all(
      prepared.map(async (one) => ('draft' in one ? this.submit(one) : one)),
    );
    const byAccount = new Map(
      readings.map(({ accountId }, index) => [accountId, sealings[index]] as const),
    );
    return months.map(({ accountId }) => byAccount.get(accountId) ?? { outcome: 'not-yet' });
  }

  private prepare(
    reading: MonthReading,
    logUsage: readonly UsageSum[],
    state?: AccountState,
    parties?: Parties,
  ): Prepared | Sealing {
    if (state === undefined || parties === undefined) throw new Error('An account is missing.');
    if (isInvoiced(reading, state)) return { outcome: 'skipped' };
    try {
      checkMonth(reading, logUsage);
      if (!isBillable(reading.facts)) return { outcome: 'skipped' };
      const draft = this.draft(reading, state, parties);
      return { reading, state, draft, parties, text: Buffer.from(canonicalText(draft)) };
    } catch (error) {
      if (!(error instanceof Error) || !isDifference(error)) throw error;
      return { outcome: 'differs', error };
    }
  }

  private draft(reading: MonthReading, state: AccountState, parties: Parties): InvoiceDraft {
    const { accountId, closedAt, facts } = reading;
    const { calendar, clock } = this.parts;
    const at = state.test ? closedAt : clock.now();
    const issueDate = calendar.dayAt(at).label;
    const { seller, buyer } = parties;
    return draftInvoice(facts, {
      id: invoiceIdOf(accountId, facts.month),
      accountId,
      currency: state.currency,
      issueDate,
      dueDate: dueDate(issueDate, seller.payment_days ?? PAYMENT_DAYS),
      seller,
      buyer,
      billingTax: state.billing.tax,
    });
  }

  private async submit(prepared: Prepared): Promise<Sealing> {
    const { draft, state } = prepared;
    const { id: callId, account_id: accountId } = draft;
    const answer = await this.parts.accounting.submit({
      accountId,
      callId,
      mayExist: true,
      notAfter: this.parts.clock.now() + WAIT_MS,
      command: {
        command: 'record-billing',
        // Whoever seals this month asks for the same, so that the second one finds the first.
        origin: { by: 'system', request: '', input: callId },
        after: state.billing.version,
        record: { type: 'InvoiceSealed', data: sealOfMonth(prepared) },
      },
    });
    if (answer.refusal !== null) {
      return { outcome: answer.refusal.reason === 'billing-moved' ? 'not-yet' : 'skipped' };
    }
    if (answer.event?.type !== 'InvoiceSealed') throw new Error(`${callId} sealed no invoice.`);
    const { type, at, data } = answer.event;
    return { outcome: 'sealed', sealed: { accountId, at, type, data }, isNew: !answer.replayed };
  }
}

function stateOf(
  accounts: ReadonlyMap<string, { readonly state: AccountState }>,
  accountId: string,
): AccountState {
  const account = accounts.get(accountId);
  if (account === undefined) throw new Error(`Account ${accountId} is not there.`);
  return account.state;
}

function isInvoiced({ close }: MonthReading, state: AccountState | undefined): boolean {
  const invoiced = state?.billing.invoicedMonth ?? null;
  return invoiced !== null && close.month <= invoiced;
}

function documentOf({ draft, text }: Prepared) {
  return { accountId: draft.account_id, mediaType: 'application/json', body: text };
}

function sealOfMonth({
  reading,
  draft,
  state,
  parties,
  text,
}: Prepared): Omit<InvoiceSealed, keyof Origin> {
  const { plan } = reading.facts;
  const { tax } = state.billing;
  return {
    ...sealOf(draft, text, state.test, parties.rows),
    ...(plan === null && tax !== undefined && { billing_tax: tax }),
  };
}
