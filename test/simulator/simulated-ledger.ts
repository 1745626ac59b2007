import { OpenedKeys } from '#account/opened-keys.js';
import { laneOf, type EventLog, type StoredEvent } from '#event-log/event-log.js';
import {
  stateFromJson,
  stateToJson,
  type LoadedAccount,
} from '#projections/snapshots/account-row.js';
import type {
  AccountSource,
  FoundKeys,
  KeyOfAccount,
  LoadedAccounts,
} from '#projections/loading/account-source.js';
import { follow, readEvent, unopened } from '#projections/snapshots/account-tail.js';
import { windowOfKey } from '#rating/key-parts.js';

interface Row {
  readonly version: number;
  readonly state: string;
  readonly head: string;
}

const EVENTS_MAX = 10_000;

/**
 * The ledger's rows in memory, as far behind the log as the schedule wants, read as the one in
 * PostgreSQL reads its own: rows, and the events after them, in one snapshot.
 */
export class SimulatedLedger implements AccountSource {
  private readonly rows = new Map<string, Row>();
  private readonly openedRows = new Map<string, Set<string>>();
  private readonly checkpoints = new Map<number, number>();

  constructor(protected readonly store: EventLog) {}

  /** Projects at most so many events of a lane. */
  async project(lane: number, most: number): Promise<void> {
    const checkpoint = this.checkpoints.get(lane) ?? 0;
    const events = await this.store.read(lane, checkpoint, most);
    for (const event of events) this.take(event);
    this.checkpoints.set(lane, checkpoint + events.length);
  }

  /** Its rows were in the database that came back older: they are of an earlier moment too. */
  async goBack(): Promise<void> {
    const checkpoints = [...this.checkpoints];
    for (const known of [this.rows, this.openedRows, this.checkpoints]) known.clear();
    for (const [lane, position] of checkpoints) await this.project(lane, position);
  }

  async load(ids: readonly string[]): Promise<LoadedAccounts> {
    const accounts = new Map<string, LoadedAccount>();
    for (const id of ids) {
      const tail = await this.tail(id);
      const account = tail.reduce((before, event) => follow(before, event), this.withKeys(id));
      accounts.set(id, account);
    }
    const ends = await this.store.ends([...new Set(ids.map(laneOf))]);
    return { accounts, ends: new Map(ends.map((end) => [end.lane, end])) };
  }

  async opened(keys: readonly KeyOfAccount[]): Promise<FoundKeys> {
    const opened: KeyOfAccount[] = [];
    for (const wanted of keys) {
      const { accountId, key } = wanted;
      const projected = this.openedRows.get(accountId)?.has(key) ?? false;
      const tail = await this.openedTail(accountId);
      if (projected || tail.some((event) => keyOf(event) === key)) opened.push(wanted);
    }
    const lanes = new Set(keys.map(({ accountId }) => laneOf(accountId)));
    return { opened, ends: await this.store.ends([...lanes]) };
  }

  /** Events that an account's row does not hold yet. */
  protected tail(accountId: string): Promise<StoredEvent[]> {
    const version = this.rows.get(accountId)?.version ?? 0;
    return this.store.readAccount(accountId, version, EVENTS_MAX);
  }

  /** The same, where keys are looked up. */
  protected openedTail(accountId: string): Promise<StoredEvent[]> {
    return this.tail(accountId);
  }

  private row(accountId: string): LoadedAccount {
    const row = this.rows.get(accountId);
    return row === undefined ? unopened : { state: stateFromJson(row.state), head: row.head };
  }

  private withKeys(accountId: string): LoadedAccount {
    const { state, head } = this.row(accountId);
    const { window } = state;
    if (window === null) return { state, head };
    const keys = [...(this.openedRows.get(accountId) ?? [])];
    const opened = OpenedKeys.of(keys.filter((key) => windowOfKey(key) >= window));
    return { state: { ...state, opened }, head };
  }

  private take(event: StoredEvent): void {
    const { accountId } = event;
    const { state, head } = follow(this.row(accountId), event);
    this.rows.set(accountId, { version: state.version, state: stateToJson(state), head });
    const key = keyOf(event);
    if (key === undefined) return;
    const opened = this.openedRows.get(accountId);
    if (opened === undefined) this.openedRows.set(accountId, new Set([key]));
    else opened.add(key);
  }
}

/** The key that an event has opened. */
function keyOf(stored: StoredEvent): string | undefined {
  if (stored.type !== 'CallMade') return undefined;
  const event = readEvent(stored);
  return event.type === 'CallMade' && event.data.kind === 'base' ? event.data.key : undefined;
}
