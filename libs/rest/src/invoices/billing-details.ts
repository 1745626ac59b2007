import type pg from 'pg';
import type { Tax } from '#account/terms.js';
import type { PartialBuyer } from '#invoice-rules/invoice.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { billingRow, tagOf } from '#deciding/precondition.js';
import type { BuyerBody } from '#invoicing/party.body.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { invalidBody } from '#web/body.js';
import type { Outcome } from '../operation/operation.js';

type Details = PartialBuyer & { readonly tax?: Tax; readonly purchases?: 'monthly' };

/** Billing details of accounts, with a validator of their own. */
export class BillingDetails {
  constructor(
    private readonly changes: AccountChanges,
    private readonly loader: AccountLoader,
    private readonly pool: pg.Pool,
  ) {}

  /** Until they are set, only the account's name. Throws a ProblemException (`not-found`). */
  async get(accountId: string): Promise<Outcome<Details>> {
    const state = await knownAccount(this.loader, accountId);
    const row = billingRow(state);
    const profiles = await findProfiles(this.pool, [row]);
    const { buyer, name = '' } = profiles.get(row) ?? {};
    const view = { ...(buyer ?? { name }), ...termsOf(state.billing) };
    return { view, tag: tagOf(state, 'billing') };
  }

  /** Replaces all of them. What was issued stays as it is. */
  async set(accountId: string, change: Change, body: BuyerBody): Promise<Outcome<BuyerBody>> {
    const { tax: _tax, purchases: _purchases, ...buyer } = body;
    const known = await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    // A closed account has some too, while an invoice may wait for them.
    const profile = await made.keep({ buyer }, { closedAt: known.erasedAt });
    const command = { command: 'change-billing', profile, ...termsOf(body) } as const;
    const { replayed } = await made.submit(command, 'billing');
    const changed = await knownAccount(this.loader, accountId);
    return { view: body, tag: tagOf(changed, 'billing'), replayed };
  }

  /** The same for customers: what is agreed about tax and purchases stays as it is. */
  async setOwn(accountId: string, change: Change, body: BuyerBody): Promise<Outcome<BuyerBody>> {
    const faults = AGREED.filter((name) => body[name] !== undefined).map((name) => {
      return { pointer: `/${name}`, detail: 'Only the provider changes it.' };
    });
    if (faults.length > 0) throw invalidBody(faults);
    const { billing } = await knownAccount(this.loader, accountId);
    return this.set(accountId, change, { ...body, ...termsOf(billing) });
  }
}

const AGREED = ['tax', 'purchases'] as const;

/** Terms that are not personal, and therefore stand in the event. */
function termsOf({ tax, purchases }: Pick<BuyerBody, 'tax' | 'purchases'>) {
  return { ...(tax !== undefined && { tax }), ...(purchases !== undefined && { purchases }) };
}
