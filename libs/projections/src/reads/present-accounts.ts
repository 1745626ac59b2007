import type pg from 'pg';
import { foundKey } from '#account/key-directory.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { SharedWork } from '#web/shared-work.js';
import { PresentReader } from '../loading/present-states.js';
import type { AccountView } from '../views/account-reads.js';
import type { KeyedAccount, KeyedReads } from '../views/keyed-account.js';
import { accountView, present } from './account-view.js';
import type { CardSource } from './known-cards.js';

/** Of a statement: its events are folded in one turn of the event loop. */
const ACCOUNTS_MAX = 16;

interface Read {
  readonly view: AccountView;
  readonly state: AccountState;
}

type Find = (accountId: string) => Read | undefined;

/**
 * Accounts as they are now. All who ask at the same time share a statement, which begins after they
 * have asked, and of an account its view.
 */
export class PresentAccounts implements KeyedReads {
  private readonly reads = new SharedWork<string, Find>((ids) => this.read(ids), {
    itemsMax: ACCOUNTS_MAX,
  });

  private readonly states: PresentReader;

  constructor(
    pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly cards: CardSource,
  ) {
    this.states = new PresentReader(pool);
  }

  /** Undefined when it was never opened. Throws AccountDamagedError. */
  async account(accountId: string): Promise<AccountView | undefined> {
    const find = await this.reads.join(accountId);
    return find(accountId)?.view;
  }

  /** The same with one of its API keys. */
  async accountAndKey(accountId: string, keyId: string): Promise<KeyedAccount | undefined> {
    const find = await this.reads.join(accountId);
    const found = find(accountId);
    if (found === undefined) return undefined;
    const { view, state } = found;
    return { view, key: foundKey(accountId, state, keyId) };
  }

  /** Reads accounts; one that cannot be shown fails for those alone who have asked for it. */
  private async read(ids: readonly string[]): Promise<Find> {
    const { accounts, profiles } = await this.states.read(ids);
    const terms = { calendar: this.calendar, cards: await this.cards() };
    const read = new Map<string, Read>();
    return (id) => {
      const known = read.get(id);
      if (known !== undefined) return known;
      const newest = accounts.get(id)?.state;
      if (newest === undefined || newest.version === 0) return undefined;
      const { state, at } = present(newest, this.clock.now(), this.calendar);
      const view = accountView(id, profiles.get(state.profile), state, at, terms);
      const found = { view, state };
      read.set(id, found);
      return found;
    };
  }
}
