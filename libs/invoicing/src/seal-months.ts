import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { BilledPurchase, Origin } from '#account/terms.js';
import { canonicalText } from '#invoice-rules/draft-invoice.js';
import { isBillable } from '#invoice-rules/invoice-lines.js';
import type { UsageSum } from '#invoice-rules/month-facts.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import {
  readClosedMonths,
  type ClosedMonth,
  type MonthReading,
} from '#projections/invoices/closed-months.js';
import { dueMonth, heldInvoice, type DueDraft } from '#projections/invoices/due-drafts.js';
import {
  dropHeld,
  readHeldOf,
  saveHeld,
  type HeldInvoice,
  type KeptHeld,
} from '#projections/invoices/held-invoices.js';
import { readLogUsage } from '#projections/invoices/log-usage.js';
import { saveDocuments } from '#projections/invoices/documents.js';
import type { Decider } from '#deciding/submission.js';
import { checkMonth, isDifference } from './check-month.js';
import { readParties, type Parties } from '#projections/invoices/parties.js';
import { sealOf, type SealedDocument } from './sealed-document.js';
import { stillHeld } from './still-held.js';

export interface SealingParts {
  readonly pool: pg.Pool;
  readonly accounting: Decider;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** The outcome of a month to invoice. */
export type SealResult =
  | { readonly outcome: 'sealed'; readonly sealed: SealedDocument }
  /** Facts are missing, or contradict each other. */
  | { readonly outcome: 'held'; readonly held: HeldInvoice }
  /** There is nothing to bill, or it was invoiced. */
  | { readonly outcome: 'skipped' }
  /** Its calls are not in all rows yet, or something else happened: to be tried again. */
  | { readonly outcome: 'not-yet' }
  /** Nothing is issued until somebody has looked. */
  | { readonly outcome: 'differs'; readonly error: Error };

const WAIT_MS = 10_000;

interface PreparedInvoice {
  readonly due: DueDraft;
  readonly wasHeld: boolean;
  readonly text: Buffer;
  readonly windows: MonthReading['windows'];
}

/** All that was read to make the invoice of a month. */
interface MonthFacts {
  readonly reading: MonthReading;
  readonly logUsage: readonly UsageSum[];
  readonly state: AccountState;
  readonly parties: Parties;
  /** Invoices of the account that were held when somebody looked. */
  readonly held: readonly KeptHeld[];
}

/**
 * Makes the invoices of closed months, at most one of each account, and seals them in their
 * accounts' lanes. The id of an invoice is that of its account and month, so it is sealed once,
 * whoever tries.
 */
export class MonthSealing {
  constructor(private readonly parts: SealingParts) {}

  async seal(months: readonly ClosedMonth[]): Promise<readonly SealResult[]> {
    const { pool, calendar, loader, system } = this.parts;
    // States first: what they do not know yet is refused when it is recorded.
    const { accounts } = await loader.loadCores(months.map(({ accountId }) => accountId));
    const readings = await withTransaction(
      pool,
      (client) => readClosedMonths(client, months, calendar),
      'repeatable read',
    );
    const states = readings.map(({ accountId }) => stateOf(accounts, accountId));
    const parties = await readParties(pool, system, states);
    const held = await this.heldOf(readings, states);
    const open = readings.filter((reading, index) => !isInvoiced(reading, states[index]));
    const wanted = new Set(open.map(({ accountId }) => accountId));
    const logUsage = await readLogUsage(
      pool,
      months.filter(({ accountId }) => wanted.has(accountId)),
    );
    const prepared = readings.map((reading, index) => {
      const [state, own] = [states[index], parties[index]];
      if (state === undefined || own === undefined) throw new Error('An account is missing.');
      const { accountId } = reading;
      const usage = logUsage.get(accountId) ?? [];
      const kept = held.get(accountId) ?? [];
      return this.prepare({ reading, logUsage: usage, state, parties: own, held: kept });
    });
    return this.sealAll(months, readings, prepared);
  }

  private async heldOf(
    readings: readonly MonthReading[],
    states: readonly AccountState[],
  ): Promise<ReadonlyMap<string, readonly KeptHeld[]>> {
    const { pool, calendar } = this.parts;
    const accountIds = readings.map(({ accountId }) => accountId);
    const held = new Map(await readHeldOf(pool, accountIds));
    for (const [index, reading] of readings.entries()) {
      const [own, state] = [held.get(reading.accountId), states[index]];
      if (own === undefined || state === undefined) continue;
      held.set(reading.accountId, await stillHeld(pool, reading, state, own, calendar));
    }
    return held;
  }

  private async sealAll(
    months: readonly ClosedMonth[],
    readings: readonly MonthReading[],
    prepared: readonly (PreparedInvoice | SealResult)[],
  ): Promise<readonly SealResult[]> {
    const { pool } = this.parts;
    await saveHeld(
      pool,
      prepared.flatMap((one) => ('held' in one ? [one.held] : [])),
    );
    const drafts = prepared.flatMap((one) => ('due' in one ? [one] : []));
    await saveDocuments(pool, drafts.map(documentOf));
    const sealings = await Promise.all(
      prepared.map(async (one) => ('due' in one ? this.submit(one) : one)),
    );
    const corrected = prepared.flatMap((one, index) =>
      'due' in one && one.wasHeld && sealings[index]?.outcome === 'sealed'
        ? [{ accountId: one.due.draft.account_id, documentId: one.due.draft.id }]
        : [],
    );
    await dropHeld(pool, corrected);
    const byAccount = new Map(
      readings.map(({ accountId }, index) => [accountId, sealings[index]] as const),
    );
    return months.map(({ accountId }) => byAccount.get(accountId) ?? { outcome: 'not-yet' });
  }

  private prepare({
    reading,
    logUsage,
    state,
    parties,
    held,
  }: MonthFacts): PreparedInvoice | SealResult {
    if (isInvoiced(reading, state)) return { outcome: 'skipped' };
    try {
      checkMonth(reading, logUsage);
      const { accountId, facts, closedAt } = reading;
      if (!isBillable(facts)) return { outcome: 'skipped' };
      const { calendar, clock } = this.parts;
      const months = held.filter(({ isMonth }) => isMonth).map(({ month }) => month);
      const invoiced = state.billing.invoicedMonth ?? '';
      const heldBefore = months.find((one) => one > invoiced && one < facts.month) ?? null;
      const wasHeld = months.includes(facts.month);
      const at = state.test && !wasHeld ? closedAt : momentOf(state, clock.now());
      const of = { accountId, state, parties, issueDate: calendar.dayAt(at).label };
      const due = dueMonth(facts, of, heldBefore);
      if (due.reasons.length > 0) return { outcome: 'held', held: heldInvoice(due, true) };
      const text = Buffer.from(canonicalText(due.draft));
      return { due, wasHeld, text, windows: reading.windows };
    } catch (error) {
      if (!(error instanceof Error) || !isDifference(error)) throw error;
      return { outcome: 'differs', error };
    }
  }

  private async submit(prepared: PreparedInvoice): Promise<SealResult> {
    const { draft, state } = prepared.due;
    const { id: callId, account_id: accountId } = draft;
    const answer = await this.parts.accounting.submit({
      accountId,
      callId,
      isRetry: true,
      notAfter: this.parts.clock.now() + WAIT_MS,
      command: {
        command: 'record-billing',
        // Whoever seals this month asks for the same, so that the second one finds the first.
        origin: { by: 'system', request: '', input: callId },
        after: state.billing.version,
        record: { type: 'InvoiceSealed', data: sealOfMonth(prepared) },
        bills: billsOf(prepared),
      },
    });
    if (answer.refusal !== null) {
      return { outcome: answer.refusal.reason === 'billing-moved' ? 'not-yet' : 'skipped' };
    }
    if (answer.event?.type !== 'InvoiceSealed') throw new Error(`${callId} sealed no invoice.`);
    const { type, at, data } = answer.event;
    const { windows } = prepared;
    return { outcome: 'sealed', sealed: { accountId, at, windows, type, data } };
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

function documentOf({ due: { draft }, text }: PreparedInvoice) {
  return { accountId: draft.account_id, mediaType: 'application/json', body: text };
}

function billsOf({ due: { draft } }: PreparedInvoice): readonly BilledPurchase[] {
  return draft.lines.flatMap((line) =>
    line.type === 'purchase' ? [[line.grant_id, line.granted_credits, line.amount] as const] : [],
  );
}

function sealOfMonth({ due, text }: PreparedInvoice): Omit<InvoiceSealed, keyof Origin> {
  const { draft, state, parties } = due;
  const { tax } = state.billing;
  return {
    ...sealOf(draft, text, state.test, parties.rows),
    ...(tax !== undefined && { billing_tax: tax }),
  };
}
