import type pg from 'pg';
import { evolve } from '#account/evolve.js';
import { conflict } from '#account/refusal.js';
import { type AccountState, initialState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { entityTag } from '#deciding/entity-tag.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { RateCards } from '#deciding/rate-cards/rate-cards.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import type { UnbilledMonths } from '#invoicing/unbilled-months.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { accountView, present } from '#projections/reads/account-view.js';
import type { Profiles } from '#projections/texts/profiles.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { countPlainTexts } from '#projections/texts/plain-texts.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { Table } from '#web/table-answer.js';
import type { Outcome } from '../operation/operation.js';
import { requireRateCards } from '../rate-cards/found-rate-card.js';
import type { AccountEnd } from './account-end.js';
import type { AccountList } from './account-list.js';
import type { AccountReader } from './account-reader.js';
import { changedLabels, labelsOf, type Labels } from './account-labels.js';
import type { ExternalIds } from './external-ids.js';
import { type Claim } from './external-ids.js';
import type { AccountFilter } from './account-filter.js';
import type { Account, ChangeAccount, ErasedAccount, OpenAccount } from './account.schemas.js';

/** A change that takes no more than a reason. */
export type StatusCommand = 'suspend-account' | 'resume-account' | 'close-account';

/** Accounts themselves: listed, opened, changed and ended. */
export class Accounts {
  constructor(
    private readonly changes: AccountChanges,
    private readonly profiles: Profiles,
    private readonly loader: AccountLoader,
    private readonly accounts: AccountList,
    private readonly end: AccountEnd,
    private readonly rateCards: RateCards,
    private readonly invoicing: Invoicing,
    private readonly unbilled: UnbilledMonths,
    private readonly calendar: Calendar,
    private readonly pool: pg.Pool,
    private readonly reader: AccountReader,
    private readonly externalIds: ExternalIds,
  ) {}

  /** By id. */
  async list(filter: AccountFilter): Promise<Table<Account>> {
    return this.accounts.read(filter);
  }

  /** The account's id is its command's: a retry under the same key finds the same one. */
  async open(change: Change, body: OpenAccount): Promise<Outcome<Account>> {
    const { name, rate_limit: limit, rate_card: rateCard = null, plan = null } = body;
    await requireRateCards(this.rateCards, rateCard, body.rate_cards);
    const made = this.changes.opening(change);
    const { id } = made;
    const labels = labelsOf(name, body.external_id ?? null, body.metadata ?? {});
    if (labels.external_id !== undefined) {
      await this.externalIds.claimToOpen(labels.external_id, id);
    }
    const profile = await made.keep(labels, initialState);
    const { event, replayed } = await made.submit({
      command: 'open-account',
      profile,
      currency: body.currency,
      overdraft: overdraftOf(body),
      test: body.test_clock !== null,
      testClock: body.test_clock,
      rateLimit: limit ? { perSecond: limit.per_second, burst: limit.burst } : null,
      lowBalance: body.low_balance_credits ?? null,
      rateCard,
      rateCards: body.rate_cards,
      plan,
      receipts: body.receipts,
    });
    if (event === null) throw new Error(`Command ${id} opened no account.`);
    // The account as it was opened, so that a retry is answered as the first request was.
    const { state, at } = present(evolve(initialState, event), event.at, this.calendar);
    // What was just opened has no windows that announced prices could change.
    const view = accountView(id, labels, state, at, { calendar: this.calendar, cards: [] });
    return { view, tag: entityTag(view.version), replayed };
  }

  /** Changes what the body holds, and nothing where all is so already. */
  async change(accountId: string, change: Change, body: ChangeAccount): Promise<Outcome<Account>> {
    const state = await knownAccount(this.loader, accountId);
    await requireRateCards(this.rateCards, body.rate_card, body.rate_cards);
    const made = this.changes.of(accountId, change);
    const { rate_limit: limit } = body;
    const before = await this.labelsOf(state);
    const labels = changedLabels(before, body);
    const replaced = await this.claim(accountId, before, labels);
    const profile = labels && (await made.keep(labels, state, state.profile));
    const { replayed } = await made.submit({
      command: 'change-account',
      profileBefore: labels && state.profile,
      changes: {
        profile,
        overdraft: body.overdraft_credits,
        rateLimit: limit && { perSecond: limit.per_second, burst: limit.burst },
        lowBalance: body.low_balance_credits,
        rateCard: body.rate_card,
        rateCards: body.rate_cards,
        plan: body.plan,
        receipts: body.receipts,
      },
    });
    if (replaced !== undefined) await this.externalIds.release(replaced);
    return { ...(await this.reader.get(accountId)), replayed };
  }

  /** Suspends, resumes or closes; doing it again changes nothing. */
  async setStatus(
    command: StatusCommand,
    accountId: string,
    change: Change,
  ): Promise<Outcome<Account>> {
    const { replayed } = await this.changes.of(accountId, change).submit({ command });
    // Asked again it ends what a fall in between has left.
    if (command === 'close-account') await this.end.close(accountId, change);
    return { ...(await this.reader.get(accountId)), replayed };
  }

  /** `now`: ms since 1970. Answered when all has happened that has become due by then. */
  async moveTestClock(accountId: string, change: Change, now: number): Promise<Outcome<Account>> {
    const command = { command: 'move-test-clock', now } as const;
    const { replayed } = await this.changes.of(accountId, change).submit(command);
    await this.invoicing.invoiceAccount(accountId);
    return { ...(await this.reader.get(accountId)), replayed };
  }

  /**
   * Blanks all names and texts of a closed account. The event comes first and names the rows, so
   * that a verification finds one that is not blank; asking again blanks what a fall in between has
   * left.
   */
  async erase(accountId: string, change: Change): Promise<Outcome<ErasedAccount>> {
    const { closedAt, erasedAt } = await knownAccount(this.loader, accountId);
    // Closed accounts get no new rows, open ones might while their rows are listed.
    if (closedAt === null) {
      throw new ProblemException(
        refusalProblem(conflict('Only a closed account can be erased: close it first.')),
      );
    }
    if (erasedAt === null) await this.refuseUnbilled(accountId, change);
    const profiles = await this.profiles.idsOf(accountId);
    const command = { command: 'erase-profile', profiles } as const;
    const { replayed } = await this.changes.of(accountId, change).submit(command);
    await this.end.erase(accountId);
    const { view, tag } = await this.reader.get(accountId);
    const plain = await countPlainTexts(this.pool, accountId, view.version);
    return { view: { ...view, plain_texts_in_log: plain }, tag, replayed };
  }

  /** Whoever is billed must be known by name until all bills are written. */
  private async refuseUnbilled(accountId: string, change: Change): Promise<void> {
    const once = { ...change, idempotencyKey: null, ifMatch: undefined };
    await this.changes.of(accountId, once).submit({ command: 'tick' });
    const months = await this.unbilled.of(accountId);
    if (months.length === 0) return;
    const detail =
      `There is something to invoice in ${months.join(', ')}. A month is invoiced once it has ` +
      'ended: wait for it, or start a run (POST /admin/v1/invoice-runs), then erase the account.';
    throw new ProblemException(refusalProblem(conflict(detail)));
  }

  /** Claims a new external id; answers the claim to the one before, to be given up. */
  private async claim(
    accountId: string,
    before: Labels,
    after: Labels | undefined,
  ): Promise<Claim | undefined> {
    const { external_id: old } = before;
    if (after === undefined || after.external_id === old) return undefined;
    if (after.external_id !== undefined) await this.externalIds.claim(after.external_id, accountId);
    return old === undefined ? undefined : this.externalIds.find(old, accountId);
  }

  private async labelsOf({ profile }: AccountState): Promise<Labels> {
    return (await findProfiles(this.pool, [profile])).get(profile) ?? {};
  }
}

/** An account with a plan pays at the end of the month, so it has no limit by default. */
function overdraftOf({ overdraft_credits: overdraft, plan }: OpenAccount): number | null {
  if (overdraft !== undefined) return overdraft;
  return plan ? null : 0;
}
