import { ROWS, type NamedResource } from '#rating/named-resource.js';
import type { CallEvent } from './calls.js';
import type { Terms } from './decide-call.js';
import { compare, type Deviation, deviation, refused } from './deviation.js';
import { type HoldEvent, placeHold, type PlaceHold } from './holds.js';
import { settleHold } from './settle-hold.js';
import { OpenedKeys } from './opened-keys.js';
import type { Hold } from './open-holds.js';
import type { AccountState } from './state.js';

/** A state knows opened keys of its own week alone: what the log knows of a key stands for it. */
export function openedBefore(state: AccountState, key: string, opened: boolean): OpenedKeys {
  return opened ? OpenedKeys.of([key]) : state.opened;
}

/** The request is taken from the event: its rows where they were priced, else its credits. */
export function auditPlacement(
  state: AccountState,
  { at, data }: Extract<HoldEvent, { type: 'HoldPlaced' }>,
  opened: boolean,
  terms: Terms,
  resource: NamedResource,
): Deviation | null {
  const { key, rows, units, max } = data;
  const command: PlaceHold = {
    command: 'place-hold',
    hold: data.hold,
    request: {
      callId: data.call,
      accountId: '',
      apiKey: data.api_key,
      key,
      asked: key,
      resource,
      rows: rows ?? units?.[ROWS] ?? 0,
      units,
      window: terms.calendar.windowAt(at).label,
      release: '',
      maxCredits: null,
      tags: data.tags ?? null,
      isRetry: false,
      requestId: data.request,
      notAfter: at,
    },
    credits: rows === undefined && units === undefined ? data.credits : null,
    over: data.over ?? 'cap',
    max: max ?? null,
    expiresIn: Date.parse(data.expires_at) - at,
    fingerprint: data.fingerprint,
  };
  const known = { ...state, opened: openedBefore(state, key, opened) };
  const decided = placeHold(known, command, at, terms);
  if (decided === null) return deviation('hold', null, data.hold);
  if ('reason' in decided) return refused(decided);
  return compare(decided.data, data);
}

/** Of a late settlement the hold is not known any more, nor what it would have charged at most. */
export function auditSettlement(
  state: AccountState,
  { at, data }: Pick<CallEvent, 'at' | 'data'>,
  opened: boolean,
  terms: Terms,
): Deviation | null {
  const { hold = '', key, rows, units, card, cost, late } = data;
  const credits = cost[0] + cost[1];
  const expired: Hold = {
    id: hold,
    callId: '',
    key,
    apiKey: data.api_key,
    credits,
    card,
    over: 'cap',
    max: null,
    expiresAt: at,
    tags: data.tags,
    request: data.request,
  };
  const known = { ...state, opened: openedBefore(state, key, opened) };
  const command = { command: 'settle-hold', hold, rows, units } as const;
  const decided = settleHold(known, late ? { ...command, expired } : command, at, terms);
  if ('reason' in decided) return refused(decided);
  return compare(decided.data, data);
}
