import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { DisputeOpened } from '#account/disputes.js';
import { formatMoment } from '#calendar/instant.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import { laneOf } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { withAccountNames } from '#projections/reads/account-names.js';
import { DisputeReads, type DisputeFilter } from '#projections/reads/dispute-reads.js';
import type { DisputeView } from '#projections/views/dispute-view.js';
import { found, problem, ProblemException } from '#web/problem.js';
import type { Table } from '#web/table-answer.js';
import type { OpenDispute } from './dispute.schemas.js';

/** The disputes of accounts: opened and read. Operators resolve them elsewhere. */
export class Disputes {
  private readonly reads: DisputeReads;
  private readonly log: PostgresEventLog;

  constructor(
    private readonly changes: AccountChanges,
    private readonly loader: AccountLoader,
    private readonly pool: pg.Pool,
  ) {
    this.reads = new DisputeReads(pool);
    this.log = new PostgresEventLog(pool);
  }

  /** Throws a ProblemException: `not-found` for a call that is not one of the account. */
  async open(
    accountId: string,
    change: Change,
    { call_ids: callIds, reason }: OpenDispute,
  ): Promise<ChangeResult<DisputeView>> {
    await knownAccount(this.loader, accountId);
    const credits = await this.chargesOf(accountId, callIds);
    const made = this.changes.of(accountId, change);
    const command = { command: 'open-dispute', disputeId: made.id, callIds, credits } as const;
    const { event, replayed } = await made.submit(command);
    const { at, data } = event as { readonly at: number; readonly data: DisputeOpened };
    const view: DisputeView = {
      id: data.dispute_id,
      account_id: accountId,
      call_ids: data.call_ids,
      disputed_credits: data.credits,
      reason,
      status: 'open',
      opened_at: formatMoment(at),
      answer: null,
      given_back_credits: 0,
      resolved_at: null,
    };
    return { view, replayed };
  }

  /** Open ones first. Throws BadCursorError. */
  async list(
    filter: DisputeFilter,
    after: string | null,
    limit: number,
  ): Promise<Table<DisputeView>> {
    if (filter.accountId !== null) await knownAccount(this.loader, filter.accountId);
    return this.reads.list(filter, after, limit);
  }

  /** Those of all accounts or of one, with the names of the accounts. Throws BadCursorError. */
  async queue(
    filter: DisputeFilter,
    after: string | null,
    limit: number,
  ): Promise<Table<DisputeView>> {
    const { items, next } = await this.list(filter, after, limit);
    return { items: await withAccountNames(this.pool, items), next };
  }

  /** `accountId`: null for operators. */
  async get(accountId: string | null, disputeId: string): Promise<DisputeView> {
    return found(await this.reads.one(accountId, disputeId), 'dispute');
  }

  private async chargesOf(accountId: string, callIds: readonly string[]): Promise<number> {
    const lane = laneOf(accountId);
    const stored = await this.log.findCalls(callIds.map((callId) => ({ lane, callId })));
    const own = stored.filter((one) => one.type === 'CallMade' && one.accountId === accountId);
    const known = new Set(own.map(({ callId }) => callId));
    const missing = callIds.find((id) => !known.has(id));
    if (missing !== undefined) {
      throw new ProblemException(problem('not-found', `The account has no call ${missing}.`));
    }
    const charges = own.flatMap(({ data }) => (JSON.parse(data) as CallMade).cost);
    return charges.reduce((sum, credits) => sum + credits, 0);
  }
}
