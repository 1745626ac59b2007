import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import type { Tax } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import type { PartialBuyer } from '#billing/invoice.js';
import type { TagOf } from '#deciding/changes/account-change.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { contentTag } from '#deciding/changes/entity-tag.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { BuyerBody } from '#invoicing/party.body.js';
import { AccountLoader } from '#ledger/loading/account-loader.js';
import { findProfiles } from '#ledger/texts/profiles.js';
import type { Outcome } from '../operation/operation.js';

type Details = PartialBuyer & { readonly tax?: Tax };

/** Billing details of accounts, with a validator of their own. */
@Injectable()
export class BillingDetails {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  /** Until they are set, only the account's name. Throws a ProblemException (`not-found`). */
  async get(accountId: string): Promise<Outcome<Details>> {
    const state = await knownAccount(this.loader, accountId);
    const row = rowOf(state);
    const profiles = await findProfiles(this.pool, [row]);
    const { buyer, name = '' } = profiles.get(row) ?? {};
    const { tax } = state.billing;
    const view = { ...(buyer ?? { name }), ...(tax !== undefined && { tax }) };
    return { view, tag: billingTag(state) };
  }

  /** Replaces all of them. What was issued stays as it is. */
  async set(accountId: string, change: Change, body: BuyerBody): Promise<Outcome<BuyerBody>> {
    const { tax, ...buyer } = body;
    const known = await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    const profile = await made.keep({ buyer }, known);
    const said = { profile, ...(tax !== undefined && { tax }) };
    const done = await made.submit({ command: 'change-billing', ...said }, billingTag);
    return { view: body, tag: billingTag(done.state), replayed: done.replayed };
  }
}

/** The row that holds them is another one whenever they are. */
function rowOf({ profile, billing }: AccountState): string {
  return billing.profile?.id ?? profile;
}

const billingTag: TagOf = (state) => contentTag(rowOf(state));
