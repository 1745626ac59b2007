import { formatInstant } from '#calendar/instant.js';
import { commanded, instant, originOf, type EventsOf } from './event-type.js';
import { conflict, endsBefore, type Refusal } from './refusal.js';
import { type AccountState, type ApiKey, isOver, type Use } from './state.js';
import type { Origin, ProfileReference, Scope } from './terms.js';

// These names are the stored format: types and members may be added, never renamed or removed.

export interface ApiKeyIssued extends Origin {
  /** Ordinal in the account: 1, 2, 3, … */
  readonly api_key: number;
  readonly key_id: string;
  /** SHA-256 of the key, hex. The key itself is nowhere. */
  readonly hash: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly profile: ProfileReference;
}

export interface ApiKeyRevoked extends Origin {
  readonly api_key: number;
  readonly key_id: string;
}

/** A key that had no end, or a later one, ends at that moment. */
export interface ApiKeyEndSet extends Origin {
  readonly api_key: number;
  readonly key_id: string;
  readonly expires_at: string;
}

export interface IssueApiKey {
  readonly command: 'issue-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly profile: ProfileReference;
  /** Id of the API key that asks for it: it gets at most what it has itself. Absent: none asks. */
  readonly issuer?: string;
}

export interface RevokeApiKey {
  readonly command: 'revoke-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  /** Whether the log holds that key: one that is over is not in the state. */
  readonly wasIssued: boolean;
}

/** Lets a key end at a moment, unless it ends before. */
export interface EndApiKey {
  readonly command: 'end-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  /** As where it is revoked. */
  readonly wasIssued: boolean;
  readonly expiresAt: number;
}

/** So many keys have sums in a use before those of keys that are over are dropped. */
const SUMS_MAX = 200;

/** A key as its event issued it. */
export function issuedKey(data: ApiKeyIssued, at: number): ApiKey {
  return {
    ordinal: data.api_key,
    id: data.key_id,
    hash: data.hash,
    prefix: data.prefix,
    lastFour: data.last_four,
    scopes: data.scopes,
    expiresAt: data.expires_at === null ? null : Date.parse(data.expires_at),
    issuedAt: at,
    profile: data.profile.id,
  };
}

/** Adds a key and drops expired ones, so that there are never more than may be active. */
export function keyIssued(
  state: AccountState,
  data: ApiKeyIssued,
  at: number,
): Partial<AccountState> {
  const others = state.apiKeys.filter((other) => !isOver(other, at));
  const apiKeys = [...others, issuedKey(data, at)];
  return {
    apiKeys,
    lastApiKey: data.api_key,
    monthUse: withoutOver(state.monthUse, apiKeys, state),
    windowUse: withoutOver(state.windowUse, apiKeys, state),
  };
}

/** Sums of keys that are over are asked for only where a budget names them. */
function withoutOver(use: Use, apiKeys: readonly ApiKey[], { budgets }: AccountState): Use {
  if (use.creditsByKey.length <= SUMS_MAX) return use;
  const wanted = new Set([
    ...apiKeys.map(({ ordinal }) => ordinal),
    ...budgets.map(({ apiKey }) => apiKey),
  ]);
  return { ...use, creditsByKey: use.creditsByKey.filter(([apiKey]) => wanted.has(apiKey)) };
}

export function keyRevoked(state: AccountState, apiKey: number): Partial<AccountState> {
  return { apiKeys: state.apiKeys.filter(({ ordinal }) => ordinal !== apiKey) };
}

export function keyEndSet({ apiKeys }: AccountState, data: ApiKeyEndSet): Partial<AccountState> {
  const index = apiKeys.findIndex(({ ordinal }) => ordinal === data.api_key);
  const key = apiKeys[index];
  if (key === undefined) throw new Error(`There is no API key ${data.api_key} to change.`);
  return { apiKeys: apiKeys.with(index, { ...key, expiresAt: Date.parse(data.expires_at) }) };
}

/** Keys that are over do not count. */
export const ACTIVE_API_KEYS_MAX = 100;

export function issueApiKey(
  state: AccountState,
  command: IssueApiKey,
  at: number,
): ApiKeyEvent | Refusal {
  const { expiresAt } = command;
  const beyond = beyondIssuer(state, command, at);
  if (beyond !== null) return beyond;
  if (expiresAt !== null && expiresAt <= at) {
    return endsBefore(at);
  }
  if (activeKeys(state, at) >= ACTIVE_API_KEYS_MAX) {
    return conflict(
      `An account has at most ${ACTIVE_API_KEYS_MAX} active API keys: revoke one first.`,
    );
  }
  return {
    type: 'ApiKeyIssued',
    at,
    data: {
      ...command.origin,
      api_key: state.lastApiKey + 1,
      key_id: command.keyId,
      hash: command.hash,
      prefix: command.prefix,
      last_four: command.lastFour,
      scopes: command.scopes,
      expires_at: expiresAt === null ? null : formatInstant(expiresAt),
      profile: command.profile,
    },
  };
}

/** Why an API key may not get another one like this: it would reach further by it. */
function beyondIssuer(
  { apiKeys }: AccountState,
  { issuer, scopes, expiresAt }: IssueApiKey,
  at: number,
): Refusal | null {
  if (issuer === undefined) return null;
  const key = apiKeys.find(({ id }) => id === issuer);
  if (key === undefined || isOver(key, at)) return { reason: 'key-invalid' };
  const scope = scopes.find((one) => !key.scopes.includes(one));
  if (scope !== undefined) return { reason: 'scope-missing', scope };
  if (key.expiresAt === null || (expiresAt !== null && expiresAt <= key.expiresAt)) return null;
  return conflict(
    `An API key cannot rotate one that ends later than itself, ${formatInstant(key.expiresAt)}: ` +
      'use one that ends no earlier.',
  );
}

function activeKeys({ apiKeys }: AccountState, at: number): number {
  return apiKeys.filter((key) => !isOver(key, at)).length;
}

const UNKNOWN: Refusal = { reason: 'not-found', detail: 'The account has no such API key.' };

/** A key that is over already is left as it is. */
export function revokeApiKey(
  state: AccountState,
  { origin, keyId, wasIssued }: RevokeApiKey,
  at: number,
): ApiKeyEvent | Refusal | null {
  const key = state.apiKeys.find(({ id }) => id === keyId);
  if (key === undefined) return wasIssued ? null : UNKNOWN;
  if (isOver(key, at)) return null;
  return { type: 'ApiKeyRevoked', at, data: { ...origin, api_key: key.ordinal, key_id: keyId } };
}

/** A key that is over already, or will be before, is left as it is. */
export function endApiKey(
  state: AccountState,
  { origin, keyId, expiresAt, wasIssued }: EndApiKey,
  at: number,
): ApiKeyEvent | Refusal | null {
  const key = state.apiKeys.find(({ id }) => id === keyId);
  if (key === undefined) return wasIssued ? null : UNKNOWN;
  if (key.expiresAt !== null && key.expiresAt <= expiresAt) return null;
  if (expiresAt <= at) return endsBefore(at);
  const data = { ...origin, api_key: key.ordinal, key_id: keyId };
  return { type: 'ApiKeyEndSet', at, data: { ...data, expires_at: formatInstant(expiresAt) } };
}

const page = {
  kind: 'api_key',
  data: ({ key_id: id }: { readonly key_id: string }) => ({ id }),
};

/** Events of API keys. A key that the state does not hold is taken for one never issued. */
export const API_KEY_EVENTS = {
  ApiKeyIssued: commanded<ApiKeyIssued, 'api_key.issued'>({
    effect: keyIssued,
    command: (data): IssueApiKey => {
      const { key_id: keyId, hash, prefix, last_four: lastFour, scopes, profile } = data;
      const key = { keyId, hash, prefix, lastFour, scopes, profile };
      const expiresAt = instant(data.expires_at);
      return { command: 'issue-api-key', origin: originOf(data), ...key, expiresAt };
    },
    notification: {
      type: 'api_key.issued',
      data: ({ key_id, scopes, expires_at }) => ({ api_key_id: key_id, scopes, expires_at }),
    },
    page,
    story: {
      title: 'API key issued',
      details: (data, { text }) => `${text(data.prefix)}…${text(data.last_four)}`,
      tone: 'good',
    },
  }),
  ApiKeyRevoked: commanded<ApiKeyRevoked, 'api_key.revoked'>({
    effect: (state, { api_key: ordinal }) => keyRevoked(state, ordinal),
    command: (data): RevokeApiKey => ({
      command: 'revoke-api-key',
      origin: originOf(data),
      keyId: data.key_id,
      wasIssued: false,
    }),
    notification: { type: 'api_key.revoked', data: ({ key_id }) => ({ api_key_id: key_id }) },
    page,
    story: { title: 'API key revoked', tone: 'warn' },
  }),
  ApiKeyEndSet: commanded<ApiKeyEndSet>({
    effect: keyEndSet,
    command: (data): EndApiKey => ({
      command: 'end-api-key',
      origin: originOf(data),
      keyId: data.key_id,
      expiresAt: Date.parse(data.expires_at),
      wasIssued: false,
    }),
    page,
    story: {
      title: 'API key given an end',
      details: (data, { moment }) => moment(data.expires_at),
    },
  }),
};

export type ApiKeyEvent = EventsOf<typeof API_KEY_EVENTS>;
