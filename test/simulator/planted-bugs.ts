import { OpenedKeys } from '#account/opened-keys.js';
import type { AccountState } from '#account/state.js';
import type { EventLog, StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD } from '#event-log/hash-chain.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import type { AccountSource, FoundKeys } from '#projections/loading/account-source.js';
import { AccountCache } from '#deciding/account-cache.js';
import { Accounting, type AccountingParts } from '#deciding/accounting.js';
import { fold, type FoldedBatch, type LaneBatch } from '#deciding/fold.js';
import type { Known } from '#deciding/read-ahead.js';
import { KnownState } from '#deciding/known-state.js';
import { LaneWriter } from '#deciding/lane-writer.js';
import type { Pending } from '#deciding/submission.js';
import { FAITHFUL, type Planting } from './planting.js';
import { SimulatedLedger } from './simulated-ledger.js';
import {
  believingToOwn,
  changed,
  lookingAtAllLanes,
  reportingLossesAsOutages,
  withoutPositionCheck,
} from './wrong-logs.js';

const WEEK_MS = 7 * 86_400_000;

class LedgerLoadingRowsAlone extends SimulatedLedger {
  protected override async tail(): Promise<StoredEvent[]> {
    return [];
  }
}

class LedgerLookingUpRowsAlone extends SimulatedLedger {
  protected override async openedTail(): Promise<StoredEvent[]> {
    return [];
  }
}

type WriterParts = ConstructorParameters<typeof LaneWriter>[0];

function writtenBy(Writer: new (parts: WriterParts) => LaneWriter, Known = KnownState) {
  return (parts: AccountingParts): Accounting =>
    new (class extends Accounting {
      protected override createWriter(
        ...[own, loader, cache]: Parameters<Accounting['createWriter']>
      ): LaneWriter {
        return new Writer({ ...own, known: new Known(own.log, loader, cache) });
      }
    })(parts);
}

class EvolvingFirst extends LaneWriter {
  protected override commit(folded: FoldedBatch): Promise<boolean> {
    const { known } = this.parts;
    for (const lane of folded.lanes.values()) known.advance(known.end(lane.lane), lane);
    return super.commit(folded);
  }
}

class AnsweringFirst extends LaneWriter {
  protected override commit(folded: FoldedBatch): Promise<boolean> {
    for (const { answers } of folded.lanes.values()) {
      for (const { pending, answer } of answers) pending.resolve(answer);
    }
    return super.commit(folded);
  }
}

class RefusingUnchecked extends LaneWriter {
  protected override async confirm(lanes: readonly LaneBatch[]): Promise<boolean> {
    for (const lane of lanes) this.answerUnwritten(lane);
    return true;
  }
}

class RefusingTooEarly extends LaneWriter {
  protected override answerUnwritten({ answers }: LaneBatch): boolean {
    for (const { pending, answer } of answers) pending.resolve(answer);
    return true;
  }
}

class TakingItsOwnForRetries extends LaneWriter {
  protected override decide(batch: readonly Pending[]): FoldedBatch {
    for (const pending of batch) pending.uncertainSinceHead = null;
    return super.decide(batch);
  }
}

/** The same knowledge, but for what is believed of accounts. */
function knowing(known: KnownState, account: KnownState['account']): Known {
  const first = (callId: string) => known.first(callId);
  const adjusted = (callId: string) => known.adjusted(callId);
  const replayed = (callId: string) => known.replayed(callId);
  return { account, first, adjusted, replayed };
}

class ForgettingInTheBatch extends LaneWriter {
  protected override decide(batch: readonly Pending[]): FoldedBatch {
    const { known, clock, terms } = this.parts;
    const asked = new Set<string>();
    const account = (accountId: string): LoadedAccount => {
      const { state, head } = known.account(accountId);
      const opened = asked.has(accountId) ? OpenedKeys.of() : state.opened;
      asked.add(accountId);
      return { state: { ...state, opened }, head };
    };
    return fold(batch, knowing(known, account), clock.now(), terms());
  }
}

class BelievingTheClock extends LaneWriter {
  protected override decide(batch: readonly Pending[]): FoldedBatch {
    const { known, clock, terms } = this.parts;
    const account = (accountId: string): LoadedAccount => {
      const { state, head } = known.account(accountId);
      return { state: { ...state, lastAt: Math.min(state.lastAt, clock.now()) }, head };
    };
    return fold(batch, knowing(known, account), clock.now(), terms());
  }
}

class KnowingNoHead extends KnownState {
  override account(accountId: string): LoadedAccount {
    return { ...super.account(accountId), head: FIRST_HEAD };
  }
}

class TakingReplaysAsRecorded extends KnownState {
  override replayed(): boolean {
    return true;
  }
}

class LookingUpRetriesAlone extends KnownState {
  override prepare(batch: readonly Pending[]): Promise<readonly Pending[]> {
    for (const pending of batch) pending.isRetry = pending.submission.isRetry;
    return super.prepare(batch);
  }
}

/** An account that went back with its lane is put where it was seen before. */
class KeepingAccounts extends AccountCache {
  private readonly newest = new Map<string, LoadedAccount>();

  override set(accountId: string, account: LoadedAccount): void {
    const seen = this.newest.get(accountId);
    const isBack = seen !== undefined && seen.state.version > account.state.version;
    const newest = isBack ? seen : account;
    this.newest.set(accountId, newest);
    super.set(accountId, newest);
  }
}

function cachedBy(Cache: typeof AccountCache) {
  return (parts: AccountingParts): Accounting =>
    new (class extends Accounting {
      protected override createWriter(
        ...[own, loader]: Parameters<Accounting['createWriter']>
      ): LaneWriter {
        return super.createWriter(own, loader, new Cache(1_000, 1_000));
      }
    })(parts);
}

/** Changes the states with which accounts are loaded. */
function loading(change: (state: AccountState) => AccountState) {
  return (source: AccountSource): AccountSource => ({
    load: async (ids) => {
      const { accounts, ends } = await source.load(ids);
      const changedOnes = [...accounts].map(
        ([id, { state, head }]) => [id, { state: change(state), head }] as const,
      );
      return { accounts: new Map(changedOnes), ends };
    },
    opened: (keys) => source.opened(keys),
  });
}

/** Changes the answer of a look for keys. */
function lookedUp(change: Partial<FoundKeys>) {
  return (source: AccountSource): AccountSource => ({
    load: (ids) => source.load(ids),
    opened: async (keys) => ({ ...(await source.opened(keys)), ...change }),
  });
}

const NOTHING_REPORTED = { month: null, window: null };

export interface PlantedBug {
  readonly bug: string;
  readonly planting: Planting;
}

/** Each would cost somebody money, and each has to be found by the simulator. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  { bug: 'the store does not check the position', store: withoutPositionCheck },
  { bug: 'a loss in a commit is reported as an outage', log: reportingLossesAsOutages },
  { bug: 'each of two deciders believes that it alone owns a group', log: believingToOwn },
  { bug: 'an append looks at lanes of other servers', log: lookingAtAllLanes },
  {
    bug: 'ids are never looked up',
    log: (log: EventLog) => changed(log, { findCalls: async () => [] }),
  },
  {
    bug: 'catching up moves the end but takes no event in',
    log: (log: EventLog) =>
      changed(log, {
        read: async (...asked) =>
          (await log.read(...asked)).map((event) => ({ ...event, accountVersion: 0 })),
      }),
  },
  { bug: 'keys of other windows are not looked up', source: lookedUp({ opened: [] }) },
  {
    bug: 'accounts are loaded without the events after their rows',
    ledger: (store: EventLog) => new LedgerLoadingRowsAlone(store),
  },
  {
    bug: 'keys are looked up without the events after the rows',
    ledger: (store: EventLog) => new LedgerLookingUpRowsAlone(store),
  },
  {
    bug: 'a process decides with the clock of next week',
    clock: (clock: { now: () => number }) => ({ now: () => clock.now() + WEEK_MS }),
  },
  {
    bug: 'a clock that steps back is believed',
    accounting: writtenBy(BelievingTheClock),
  },
  { bug: 'the hash chain starts again', accounting: writtenBy(LaneWriter, KnowingNoHead) },
  {
    bug: 'a lost command is decided again without a look',
    accounting: writtenBy(LaneWriter, LookingUpRetriesAlone),
  },
  {
    bug: 'a call is answered to another request without a word in the log',
    accounting: writtenBy(LaneWriter, TakingReplaysAsRecorded),
  },
  { bug: 'states move on before the commit', accounting: writtenBy(EvolvingFirst) },
  { bug: 'answers are sent before the commit', accounting: writtenBy(AnsweringFirst) },
  {
    bug: 'keys that were looked up for a batch are forgotten in it',
    accounting: writtenBy(ForgettingInTheBatch),
  },
  {
    bug: 'refusals are answered without a look at the end of the lane',
    accounting: writtenBy(RefusingUnchecked),
  },
  {
    bug: 'a refusal is answered while a lost commit may still happen',
    accounting: writtenBy(RefusingTooEarly),
  },
  {
    bug: 'a lost command that was committed is refused as a retry',
    accounting: writtenBy(TakingItsOwnForRetries),
  },
  {
    bug: 'a loaded account has forgotten what its budgets have reported',
    source: loading((state) => ({
      ...state,
      budgets: state.budgets.map((budget) => ({ ...budget, told: NOTHING_REPORTED })),
    })),
  },
  {
    bug: 'a loaded account has forgotten that a month was closed',
    source: loading((state) => ({ ...state, monthSince: state.openedAt, lastClose: null })),
  },
  { bug: 'accounts of a lane that went back are kept', accounting: cachedBy(KeepingAccounts) },
  {
    bug: 'keys are believed that were looked up beyond the known end',
    source: lookedUp({ ends: [] }),
  },
].map(({ bug, ...planting }) => ({ bug, planting: { ...FAITHFUL, ...planting } }));
