import type pg from 'pg';
import type { AccountState } from '#account/state.js';
import type { ProfileReference } from '#account/terms.js';
import type { Exchange } from '#invoice-rules/exchange-rates.js';
import type { PartialBuyer, Seller } from '#invoice-rules/invoice.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { EXCHANGE_RATES, ratesOf, type KnownRates } from '../events/exchange-rate-events.js';
import { findProfiles } from '../texts/profiles.js';
import { SELLER } from './seller-row.js';

/** Sender and addressee of an account's invoices as they are now, with the rows that say so. */
export interface Parties {
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
  readonly rows: {
    readonly seller: ProfileReference | null;
    readonly buyer: ProfileReference | null;
  };
  /** Position of the newest event of the system's lane that they follow from. */
  readonly position: number;
  /** Of the account's currency; undefined: the seller owes tax in it. */
  readonly exchange: Exchange | undefined;
}

/** Until they are filled in, they are what there is. */
export async function readParties(
  db: pg.Pool | pg.ClientBase,
  system: Pick<SystemStream, 'read'>,
  states: readonly AccountState[],
): Promise<readonly Parties[]> {
  const { profile: sellerRow, changedAt } = await system.read(SELLER);
  const known = await system.read(EXCHANGE_RATES);
  const position = Math.max(changedAt.at(-1) ?? 0, known.position);
  const ids = states.flatMap(({ profile, billing }) => [profile, billing.profile?.id ?? profile]);
  const profiles = await findProfiles(db, sellerRow === null ? ids : [...ids, sellerRow.id]);
  const seller = publicSeller(profiles.get(sellerRow?.id ?? '')?.seller ?? {});
  return states.map(({ profile, billing, currency }) => {
    const name = profiles.get(profile)?.name ?? '';
    const buyer = profiles.get(billing.profile?.id ?? '')?.buyer ?? { name };
    const exchange = exchangeOf(known, currency, seller);
    const rows = { seller: sellerRow, buyer: billing.profile };
    return { seller, buyer, rows, position, exchange };
  });
}

/** The seller as customers see it; the rest is of the seller's own books. */
export function publicSeller<Own extends Partial<Seller>>({
  breakage_percent: _percent,
  ledger_accounts: _accounts,
  datev: _datev,
  ...seller
}: Own) {
  return seller;
}

function exchangeOf(
  known: KnownRates,
  currency: string,
  { tax_currency: owed = currency }: Partial<Seller>,
): Exchange | undefined {
  return owed === currency ? undefined : { currency: owed, rates: ratesOf(known, currency, owed) };
}
