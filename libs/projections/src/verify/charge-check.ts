import {
  auditEvent,
  auditState,
  type AuditTerms,
  type PrecedingFacts,
  precedingAfter,
} from '#account/audit.js';
import { type AccountEvent, UnknownEventError } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import { type AccountState, initialState } from '#account/state.js';
import type { ProfileReference } from '#account/terms.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { FIRST_HEAD } from '#event-log/hash-chain.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import { readEvent, type WalkedEvent } from '../snapshots/account-tail.js';
import type { LaneFindings } from './findings.js';

interface Account {
  state: AccountState;
  /** Every key that it ever opened: a state holds those of one window. */
  readonly opened: Set<string>;
  preceding: PrecedingFacts;
  /** True after an impossible event: later ones cannot be computed. */
  isLost: boolean;
}

/** References of events to rows elsewhere, to be looked up. */
export interface NamedReferences {
  readonly profiles: { readonly position: number; readonly reference: ProfileReference }[];
  /** Ids of profiles that were blanked. */
  readonly erased: Set<string>;
  readonly apiKeys: { readonly position: number; readonly hash: string }[];
  readonly corrections: {
    readonly position: number;
    readonly callId: string;
    readonly credits: number;
  }[];
}

/**
 * Reads every event of a lane, decides it once more and evolves its account. Holds the lane's
 * accounts and their opened keys.
 */
export class ChargeCheck {
  readonly named: NamedReferences = {
    profiles: [],
    erased: new Set(),
    apiKeys: [],
    corrections: [],
  };
  private readonly accounts = new Map<string, Account>();

  constructor(
    private readonly findings: LaneFindings,
    private readonly terms: AuditTerms,
  ) {}

  /**
   * `head`: of its account after the event. Answers the event with all that was worked out, or as
   * it came when nothing could be.
   */
  add(stored: StoredEvent, head: string): StoredEvent | WalkedEvent {
    const event = this.read(stored);
    const account = this.account(stored.accountId);
    if (event === undefined) account.isLost = true;
    if (event === undefined || account.isLost) return stored;
    try {
      this.audit(account, stored, event);
      account.preceding = precedingAfter(account.preceding, event, stored.callId, head);
    } catch (error) {
      account.isLost = true;
      this.findings.event('charges', stored.position, 'an event that can be', String(error));
      return stored;
    }
    return walked(stored, event, { state: account.state, head });
  }

  end(): void {
    for (const [id, { state, isLost }] of this.accounts) {
      const broken = isLost ? null : auditState(state);
      if (broken === null) continue;
      const { member, expected, found } = broken;
      const key = `lane ${this.findings.lane}, account ${id}`;
      this.findings.add('balances', {
        table: 'event',
        key,
        expected: { [member]: expected },
        found: { [member]: found },
      });
    }
  }

  private read(stored: StoredEvent): AccountEvent | undefined {
    try {
      const event = readEvent(stored);
      this.note(stored, event);
      return event;
    } catch (error) {
      const isUnknown = error instanceof UnknownEventError;
      const expected = isUnknown ? 'a type that is known' : 'the members of its type';
      const found = isUnknown ? stored.type : String(error);
      this.findings.event('events', stored.position, expected, found);
      return undefined;
    }
  }

  private account(id: string): Account {
    const known = this.accounts.get(id);
    if (known !== undefined) return known;
    const preceding = { callId: null, head: FIRST_HEAD };
    const fresh = { state: initialState, opened: new Set<string>(), preceding, isLost: false };
    this.accounts.set(id, fresh);
    return fresh;
  }

  private audit(account: Account, stored: StoredEvent, event: AccountEvent): void {
    const key = 'key' in event.data ? event.data.key : null;
    const opened = key !== null && account.opened.has(key);
    const wrong = auditEvent(account.state, event, opened, this.terms, account.preceding);
    if (wrong !== null) {
      const { member, expected, found } = wrong;
      this.findings.event(
        'charges',
        stored.position,
        { [member]: expected ?? null },
        { [member]: found ?? null },
      );
    }
    const state = evolve(account.state, event);
    account.state = opened || key === null ? state : { ...state, opened: initialState.opened };
    if (event.type === 'CallMade' && event.data.kind === 'base') account.opened.add(event.data.key);
  }

  private note({ position }: StoredEvent, { type, data }: AccountEvent): void {
    if (type === 'ApiKeyIssued') this.named.apiKeys.push({ position, hash: data.hash });
    if (type === 'Adjusted' && data.call_id !== null) {
      const { call_id: callId, credits } = data;
      this.named.corrections.push({ position, callId, credits });
    }
    if (type === 'ProfileErased') for (const id of data.profiles) this.named.erased.add(id);
    const reference = 'profile' in data ? data.profile : type === 'BudgetSet' ? data.notify : null;
    if (reference) this.named.profiles.push({ position, reference });
  }
}

/**
 * Made member by member: all replays read it, and of objects that begin with a spread each has a
 * hidden class of its own.
 */
function walked(stored: StoredEvent, event: AccountEvent, account: LoadedAccount): WalkedEvent {
  const { lane, position, accountId, accountVersion, callId, type, at, data } = stored;
  return { lane, position, accountId, accountVersion, callId, type, at, data, event, account };
}
