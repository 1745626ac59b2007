import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { ChainPlace, ChargedCall } from '#account/charging.js';
import { findCall } from '../events/find-call.js';
import { headAt } from './head-at.js';

/** A call as the log holds it, with its place in its account's chain. */
export interface FoundCall {
  readonly accountId: string;
  readonly charged: Pick<ChargedCall, 'callId' | 'at' | 'call'>;
  readonly place: ChainPlace;
}

/** Finds calls in the log, with their places. */
export class CallPlaces {
  constructor(private readonly pool: pg.Pool) {}

  /** `accountId`: whose call it must be; null: anybody's. Undefined: there is no such call. */
  async find(accountId: string | null, callId: string): Promise<FoundCall | undefined> {
    const stored = await findCall(this.pool, accountId, callId);
    if (stored === undefined) return undefined;
    const { accountVersion: version, at } = stored;
    const head = await headAt(this.pool, stored.accountId, version);
    const charged = { callId, at, call: JSON.parse(stored.data) as CallMade };
    return { accountId: stored.accountId, charged, place: { version, head } };
  }
}
