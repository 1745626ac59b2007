import type pg from 'pg';
import { advance, evolveAll } from '#account/advance.js';
import { openMonth } from '#account/months.js';
import type { MonthClosed } from '#account/periods.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { MonthFacts } from '#invoice-rules/month-facts.js';
import { statementOf, type DayCharges } from '#invoice-rules/statement.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { Month } from '#calendar/window.js';
import { withTransaction } from '#database/database.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { loadAccounts } from '../loading/account-loader.js';
import { stateAfter } from '../snapshots/account-snapshots.js';
import { readRunningMonth } from './draft.js';
import { movementsOf } from '#invoice-rules/movements.js';
import { MOVING, readChanges, readOpeningGrants } from '../events/month-events.js';
import type { StatementReads, StatementView } from '../views/statement-reads.js';
import { readUsage } from '../usage/usage-read.js';

/** An account in the snapshot of the transaction under way, at a moment of its own. */
interface StatementRequest {
  readonly client: pg.ClientBase;
  readonly accountId: string;
  readonly state: AccountState;
  readonly at: number;
}

/** The event that closed a month. */
interface Close {
  readonly stored: StoredEvent;
  readonly data: MonthClosed;
}

const DAYS_MAX = 31;

/** Answers from the log; sums of days come from rows and the tail, as everywhere. */
export class PostgresStatementReads implements StatementReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  async statement(accountId: string, label: string): Promise<StatementView | undefined> {
    const month = this.calendar.monthOf(label);
    if (month === undefined) return undefined;
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const state = accounts.get(accountId)?.state;
        if (state === undefined || state.version === 0) return undefined;
        const at = momentOf(state, this.clock.now());
        if (month.endsAt <= state.openedAt || month.startsAt > at) return undefined;
        return this.read({ client, accountId, state, at }, month);
      },
      'repeatable read',
    );
  }

  private async read(asked: StatementRequest, month: Month): Promise<StatementView> {
    const closes = await readCloses(asked);
    const close = closes.find(({ data }) => data.month === month.label);
    const before = closes.findLast(({ data }) => data.month < month.label);
    if (close !== undefined) return this.closed(asked, month, close, before);
    if (this.isOpen(asked, month)) return this.running(asked, month, before);
    if (before === undefined) throw new Error(`Account ${asked.accountId} closed no month.`);
    return this.idle(asked, month, before);
  }

  /** Whether a month that was not closed will be: of those in which nothing happens none is. */
  private isOpen({ state, at }: StatementRequest, month: Month): boolean {
    const { calendar } = this;
    if (calendar.monthAt(at).label === month.label) return true;
    const end = Math.min(at, month.endsAt - 1);
    const then = evolveAll(state, advance(state, end, calendar));
    return openMonth(then, calendar)?.label === month.label;
  }

  private async closed(
    asked: StatementRequest,
    month: Month,
    close: Close,
    before: Close | undefined,
  ): Promise<StatementView> {
    const facts = await closedFacts(asked, close, before);
    const charges = await this.charges(asked, month, asked.at);
    const { calls, credits } = close.data;
    const sums = { calls: sumOf(charges, 'calls'), credits: sumOf(charges, 'credits') };
    if (sums.calls !== calls || sums.credits !== credits) {
      throw new Error(
        `${month.label} of account ${asked.accountId}: the days hold ${sums.calls} calls for ` +
          `${sums.credits} credits, the close says ${calls} for ${credits}.`,
      );
    }
    const heads = { openingHead: headAfter(before), accountHead: headBefore(close) };
    return { ...statementOf(facts, { ...this.terms(asked), ...heads, charges }), final: true };
  }

  /** As far as it has come: nothing is billed before the month has ended. */
  private async running(
    asked: StatementRequest,
    month: Month,
    before: Close | undefined,
  ): Promise<StatementView> {
    const { client, accountId, state } = asked;
    const at = Math.min(asked.at, month.endsAt - 1);
    const { facts } = await readRunningMonth(client, accountId, state, at, this.calendar);
    const closing = { ...facts.closing, overage: 0, carried: 0 };
    const charges = await this.charges(asked, month, at);
    const terms = { ...this.terms(asked), charges };
    const { account_head: _none, ...statement } = statementOf(
      { ...facts, closing },
      { ...terms, openingHead: headAfter(before), accountHead: '' },
    );
    return { ...statement, final: false };
  }

  /** Nothing happened, so nothing was closed: it ends as it began. */
  private async idle(
    asked: StatementRequest,
    { label }: Month,
    before: Close,
  ): Promise<StatementView> {
    const { accountVersion } = before.stored;
    const { balance, plan } = before.data;
    const facts: MonthFacts = {
      month: label,
      plan,
      usage: [],
      opening: { balance, grants: [] },
      movements: [],
      closing: { balance, overage: 0, carried: 0, grants: [] },
      version: { from: accountVersion + 1, to: accountVersion },
    };
    const heads = { openingHead: headAfter(before), accountHead: headAfter(before) };
    const terms = { ...this.terms(asked), ...heads, charges: [] };
    return { ...statementOf(facts, terms), final: true };
  }

  private terms({ accountId }: StatementRequest) {
    return { accountId, timeZone: this.calendar.zone };
  }

  private async charges(
    { client, accountId, state }: StatementRequest,
    { startsAt: from, endsAt: to }: Month,
    at: number,
  ): Promise<DayCharges[]> {
    const history = { accountId, version: state.version };
    const page = { after: null, limit: DAYS_MAX, asOf: null };
    const filter = { by: ['day'], from, to, ...page } as const;
    const { items } = await readUsage(client, history, state, at, filter, this.calendar);
    return items
      .filter(({ calls }) => calls > 0)
      .map(({ day, calls, credits_used: credits }) => ({ day: day ?? '', calls, credits }));
  }
}

async function readCloses({ client, accountId, state }: StatementRequest): Promise<Close[]> {
  const all = { accountId, first: 1, last: state.version };
  const found = (await readChanges(client, [all], ['MonthClosed'])).get(accountId) ?? [];
  return found.flatMap(({ stored, event }) =>
    event.type === 'MonthClosed' ? [{ stored, data: event.data }] : [],
  );
}

async function closedFacts(
  { client, accountId }: StatementRequest,
  { stored, data }: Close,
  before: Close | undefined,
): Promise<MonthFacts> {
  const opening = before === undefined ? [] : await leftAt(client, before);
  const grants = (await readOpeningGrants(client, [{ accountId, left: opening }])).get(accountId);
  const range = { accountId, first: data.account_version.from, last: stored.accountVersion };
  const moved = (await readChanges(client, [range], MOVING)).get(accountId) ?? [];
  const { balance_before: balance, overage, carried } = data;
  return {
    month: data.month,
    plan: data.plan,
    usage: [],
    opening: { balance: before?.data.balance ?? 0, grants: grants ?? [] },
    movements: moved.flatMap(({ event }) => movementsOf(event)),
    closing: { balance, overage, carried, grants: await leftAt(client, { stored, data }) },
    version: data.account_version,
  };
}

/** The rest of grants as a month closed; an old close does not record it. */
async function leftAt(client: pg.ClientBase, { stored, data }: Close) {
  if (data.grants !== undefined) return data.grants;
  const { grants } = await stateAfter(client, stored.accountId, stored.accountVersion);
  return grants.map(({ ordinal, left }) => [ordinal, left] as const);
}

/** The head of the account's chain up to a close, which vouches for it. */
function headBefore({ stored, data: { account_head: head } }: Close): string {
  if (head !== undefined) return head;
  throw new Error(`Event ${stored.accountVersion} of ${stored.accountId} names no head.`);
}

/** The head after a close, from which the next month goes on; undefined: before the first event. */
function headAfter(close: Close | undefined): string {
  return close === undefined ? FIRST_HEAD : hashEvent(headBefore(close), close.stored);
}

function sumOf(charges: readonly DayCharges[], member: 'calls' | 'credits'): number {
  return charges.reduce((sum, each) => sum + each[member], 0);
}
