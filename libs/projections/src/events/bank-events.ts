import type { Origin } from '#account/terms.js';
import type { Fold } from '#event-log/fold.js';

// Events of the system's lane about statements of banks: their names and members are for ever, as
// in `#account/events.js`.

export const BANK_ENTRIES_CONFIRMED = 'BankEntriesConfirmed';

/** Somebody has said whose payments entries of a bank are, before these are recorded. */
export interface BankEntriesConfirmed extends Origin {
  readonly entries: readonly (readonly [entryId: string, accountId: string])[];
}

/** The account of each entry that was confirmed: the first one, for ever. */
export const BANK_ENTRIES: Fold<ReadonlyMap<string, string>> = {
  initial: () => new Map(),
  evolve: (known, { type, data }) => {
    if (type !== BANK_ENTRIES_CONFIRMED) return known;
    const { entries } = JSON.parse(data) as BankEntriesConfirmed;
    const accounts = known as Map<string, string>;
    for (const [entry, account] of entries) {
      if (!accounts.has(entry)) accounts.set(entry, account);
    }
    return accounts;
  },
};
