import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { isMilestone, MILESTONE } from '#event-log/milestones.js';
import { UnappliedEventError, type Projection, type RowChanges } from '#event-log/projection.js';
import { LEDGER_VERSION } from '../snapshots/account-row.js';
import {
  isSnapshotDue,
  saveSnapshots,
  type AccountSnapshot,
} from '../snapshots/account-snapshots.js';
import { followRead, readEvent, withoutKeys } from '../snapshots/account-tail.js';
import {
  newAccount,
  settledFor,
  type FollowedAccount,
  type IssuedKey,
  type OpenedKey,
  type SettledAccount,
} from './settled-account.js';
import {
  loadRows,
  readSpans,
  saveAccounts,
  saveApiKeys,
  saveOpened,
  type WantedAccount,
} from './ledger-rows.js';
import { inParts } from './parts.js';
import type { ReadSums } from './read-sums.js';

/** Name under which the ledger's checkpoints stand. */
export const LEDGER = 'ledger';

/**
 * Calls from this moment on open a window or a month of their account, so that something else falls
 * due: the first of them is written at once, like a milestone.
 */
const OPENING_CALL = `not exists (
  select from ledger_account a
   where a.lane = e.lane and a.account_id = e.account_id and e.at < a.settled_until)`;

/**
 * The ledger feeds decisions, and it alone: the core of each account, the keys it opened, and
 * which account an API key belongs to, by the same `evolve` as the lane writer's. Beside them it
 * keeps how each account stood every so often, for those who ask about the past. The rows of an
 * account are written with its milestones and with calls that open a window or a month; they hold
 * nothing of the calls after that, which whoever asks reads from the log. `read` is handed all
 * events that it reads.
 */
export function ledgerProjection(calendar: Calendar, read?: ReadSums): Projection {
  return {
    name: LEDGER,
    version: LEDGER_VERSION,
    tables: ['ledger_account', 'ledger_opened', 'ledger_api_key', 'ledger_snapshot'],
    laterColumns: { ledger_snapshot: 'head' },
    wants: { name: LEDGER, condition: `(${MILESTONE} or ${OPENING_CALL})` },
    collect: () => new LedgerChanges(calendar),
    async apply(events, client) {
      const rows = await loadRows(client, events);
      for (const part of inParts(rows, spanOf, SPAN_EVENTS)) {
        const changes = new LedgerChanges(calendar, new Map(part), read);
        for (const event of await readSpans(client, part)) addRead(changes, event);
        await changes.write(client);
      }
    },
  };
}

function addRead(changes: RowChanges, event: StoredEvent): void {
  try {
    changes.add(event);
  } catch (error) {
    throw new UnappliedEventError(event, error);
  }
}

/** About so many events wait in memory. */
const SPAN_EVENTS = 5_000;

function spanOf([, { account, last }]: readonly [string, WantedAccount]): number {
  return last.accountVersion - account.state.version;
}

/** More keys than this are forgotten: to do so with each is dearer than to carry some. */
const KEYS_MAX = 32;

class LedgerChanges implements RowChanges {
  private changed = new Map<string, SettledAccount>();
  private snapshots: AccountSnapshot[] = [];
  private opened: OpenedKey[] = [];
  private issued: IssuedKey[] = [];

  /** `accounts`: as their rows say; all others have none. */
  constructor(
    private readonly calendar: Calendar,
    private readonly accounts = new Map<string, FollowedAccount>(),
    private readonly read?: ReadSums,
  ) {}

  get size(): number {
    const { changed, snapshots, opened, issued } = this;
    return changed.size + snapshots.length + opened.length + issued.length;
  }

  add(stored: StoredEvent): void {
    if (stored.lane === SYSTEM_LANE) return;
    const { lane, accountId, callId, at } = stored;
    const event = readEvent(stored);
    const followed = this.accounts.get(accountId) ?? newAccount();
    this.accounts.set(accountId, followed);
    const { head } = followed.account;
    followed.account = followRead(followed.account, stored, event);
    this.read?.add(stored, event, head, followed.account.head);
    if (followed.account.state.opened.size > KEYS_MAX) {
      followed.account = withoutKeys(followed.account);
    }
    if (event.type === 'CallMade' && event.data.kind === 'base') {
      followed.opened.push({ lane, accountId, callId, at, key: event.data.key });
    }
    if (event.type === 'ApiKeyIssued') {
      const { hash, api_key: apiKey } = event.data;
      this.issued.push({ lane, accountId, hash, apiKey });
    }
    if (isMilestone(stored) || at >= followed.settledUntil) this.advance(accountId, followed);
  }

  /** Its rows are to say how it stands now. */
  private advance(accountId: string, followed: FollowedAccount): void {
    followed.account = withoutKeys(followed.account);
    const { state } = followed.account;
    followed.settledUntil = Math.max(followed.settledUntil, settledFor(state, this.calendar));
    this.opened.push(...followed.opened.splice(0));
    // From here on others hold it: what follows changes a copy.
    followed.account = { state, head: followed.account.head };
    const { account, settledUntil } = followed;
    this.changed.set(accountId, { account, settledUntil });
    if (isSnapshotDue(state)) this.snapshots.push({ accountId, ...followed.account });
  }

  async write(client: pg.ClientBase): Promise<void> {
    const { changed, snapshots, opened, issued } = this;
    this.changed = new Map();
    [this.snapshots, this.opened, this.issued] = [[], [], []];
    if (changed.size > 0) await saveAccounts(client, changed, this.calendar);
    await saveSnapshots(client, snapshots);
    await saveOpened(client, opened);
    await saveApiKeys(client, issued);
  }
}
