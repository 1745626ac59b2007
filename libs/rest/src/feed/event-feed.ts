import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#calendar/clock.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import type { Session } from '../portal-sessions/portal-session.js';
import type { SessionRows } from '../portal-sessions/session-rows.js';
import { feedMessage, type FeedMessage } from './feed-message.js';
import type { TailReads } from './tail-reads.js';

/** One page that listens. */
export interface Listener {
  readonly session: Session;
  /** Version of the account up to which it has received events. */
  version: number;
  send(message: FeedMessage): void;
  /** Its session is over; nothing is sent after that. */
  signOut(): void;
  /** The service stops; the page asks again. */
  end(): void;
}

export interface StreamBegin {
  readonly version: number;
  /** The version asked for lies so far back, or in another log, that all has to be read again. */
  readonly missed: boolean;
}

export interface EventFeedParts {
  readonly tails: TailReads;
  readonly sessions: SessionRows;
  readonly loader: AccountLoader;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

const LOOK_EVERY_MS = 300;
/** Every so many looks it checks whether the log still holds what was sent. */
const LOOKS_UNTIL_BACK = 10;
/** A page that has missed more reads everything again; nobody reads so many lines in a moment. */
const MISSED_MAX = 500;

/**
 * Sends events of accounts to their pages. However many listen, a process looks once in 300 ms:
 * whose sessions are still open, and what is new of all their accounts.
 */
export class EventFeed {
  private readonly listeners = new Set<Listener>();
  private looking: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly parts: EventFeedParts) {}

  /** Where a stream begins: behind the version that it names, or at the newest one. */
  async start(accountId: string, version: number | null): Promise<StreamBegin> {
    const newest = await this.parts.tails.version(accountId);
    if (version === null) return { version: newest, missed: false };
    const missed = version > newest || newest - version > MISSED_MAX;
    return missed ? { version: newest, missed } : { version, missed };
  }

  add(listener: Listener): void {
    if (this.stopping.signal.aborted) {
      listener.end();
      return;
    }
    this.listeners.add(listener);
    this.looking ??= this.look();
  }

  remove(listener: Listener): void {
    this.listeners.delete(listener);
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
    await this.looking;
  }

  private async look(): Promise<void> {
    for (let looks = 1; this.listeners.size > 0; looks += 1) {
      try {
        await this.signOutClosed();
        if (looks % LOOKS_UNTIL_BACK === 0) await this.resetBeyond();
        await this.sendNew();
      } catch (error) {
        // The database is away: pages receive nothing, and all of it afterwards.
        this.parts.onFault(error);
      }
      await this.pause();
    }
    this.looking = undefined;
  }

  private async pause(): Promise<void> {
    const { signal } = this.stopping;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }

  private async signOutClosed(): Promise<void> {
    const { sessions, clock } = this.parts;
    const listening = [...this.listeners];
    const ids = [...new Set(listening.map(({ session }) => session.id))];
    const open = await sessions.open(ids, clock.now());
    for (const listener of listening.filter(({ session }) => !open.has(session.id))) {
      this.listeners.delete(listener);
      listener.signOut();
    }
  }

  private byAccount(): Map<string, Listener[]> {
    const byAccount = new Map<string, Listener[]>();
    for (const listener of this.listeners) {
      const { accountId } = listener.session;
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), listener]);
    }
    return byAccount;
  }

  /** Pages that received more than the log holds would miss all that comes in its place. */
  private async resetBeyond(): Promise<void> {
    const byAccount = this.byAccount();
    const sent = [...byAccount].map(([accountId, listeners]) => ({
      accountId,
      version: Math.max(...listeners.map(({ version }) => version)),
    }));
    for (const accountId of await this.parts.tails.beyond(sent)) {
      await this.reset(accountId, byAccount.get(accountId) ?? []);
    }
  }

  private async sendNew(): Promise<void> {
    const byAccount = this.byAccount();
    const sent = [...byAccount].map(([accountId, listeners]) => ({
      accountId,
      version: Math.min(...listeners.map(({ version }) => version)),
    }));
    if (sent.length === 0) return;
    for (const [accountId, events] of await this.parts.tails.after(sent, MISSED_MAX + 1)) {
      const listeners = byAccount.get(accountId) ?? [];
      if (events.length > MISSED_MAX) await this.reset(accountId, listeners);
      else if (events.length > 0) await this.send(accountId, listeners, events);
    }
  }

  private async reset(accountId: string, listeners: readonly Listener[]): Promise<void> {
    const version = await this.parts.tails.version(accountId);
    for (const listener of listeners) {
      listener.version = version;
      listener.send({ version, kind: 'reset', data: { version } });
    }
  }

  private async send(
    accountId: string,
    listeners: readonly Listener[],
    events: readonly StoredEvent[],
  ): Promise<void> {
    const { accounts } = await this.parts.loader.loadCores([accountId]);
    const state = accounts.get(accountId)?.state;
    if (state === undefined) return;
    const apiKeys = await this.parts.tails.apiKeys(accountId, state, events);
    const messages = events.flatMap((event) => feedMessage(event, apiKeys) ?? []);
    const newest = events.at(-1)?.accountVersion ?? 0;
    for (const listener of listeners) {
      const behind = listener.version;
      listener.version = Math.max(behind, newest);
      for (const message of messages) if (message.version > behind) listener.send(message);
    }
  }
}
