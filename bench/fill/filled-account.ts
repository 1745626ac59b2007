import { createHash } from 'node:crypto';
import { formatApiKey } from '#account/api-key.js';
import { laneOf } from '#event-log/event-log.js';
import { profileReference, type Profile } from '#projections/texts/profiles.js';
import type { OpeningNames } from '../account-opening.js';

const API_KEY_DIGITS = 30;
/** Nothing else in a filled log holds these digits: whatever holds them names an account. */
const MARK = 'f111ed';
const ORDINAL_DIGITS = 6;

/**
 * The last 12 hex digits of every id that belongs to the account of an ordinal, from 0: its own and
 * those of its calls. Accounts one after the other take turns with the lanes.
 */
export function suffixOf(ordinal: number): string {
  return MARK + ordinal.toString(16).padStart(ORDINAL_DIGITS, '0');
}

export function filledAccountId(ordinal: number): string {
  return `00000000-0000-4000-8000-${suffixOf(ordinal)}`;
}

/** The API key of that account, with which it can be called over HTTP. */
export function filledApiKey(ordinal: number): string {
  return formatApiKey('pix_live_', String(ordinal).padStart(API_KEY_DIGITS, '0'));
}

/** SHA-256 of that API key, in hex. */
export function apiKeyHashOf(ordinal: number): string {
  return createHash('sha256').update(filledApiKey(ordinal)).digest('hex');
}

/** The name and buyer of all of them, in a row of personal texts that has the account's id. */
export const FILLED_PROFILE: Profile = {
  name: 'Filled account',
  label: 'Key',
  buyer: {
    name: 'Filled Ltd',
    address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
    email: 'filled@example.org',
  },
};

export function openingNames(ordinal: number): OpeningNames {
  const accountId = filledAccountId(ordinal);
  const profileSha256 = profileReference(accountId, FILLED_PROFILE).sha256;
  // The last four characters would be one more thing in which accounts differ.
  return { accountId, apiKeyHash: apiKeyHashOf(ordinal), apiKeyLastFour: '0000', profileSha256 };
}

/** Ordinals of the accounts of a lane, ascending. */
export function ordinalsOfLane(accounts: number, lane: number): number[] {
  const all = Array.from({ length: accounts }, (_, ordinal) => ordinal);
  return all.filter((ordinal) => laneOf(filledAccountId(ordinal)) === lane);
}
