import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pg from 'pg';
import type { Tax } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import type { PartialBuyer } from '#billing/invoice.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { findProfiles, Profiles } from '#ledger/profiles.js';
import { AccountChanges, type TagOf } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import { contentTag } from '#deciding/changes/entity-tag.js';
import { keeping } from '#deciding/changes/keep-profile.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { BuyerBody } from '#invoicing/party.body.js';

/** Whom an account's invoices are addressed to, and the validator of that. */
export interface BillingDetails {
  readonly tag: string;
  readonly buyer: PartialBuyer & { readonly tax?: Tax };
}

export class SetBillingDetailsCommand extends Command<Made<BillingDetails>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: BuyerBody,
  ) {
    super();
  }
}

/** Says all of an account's billing details anew. What was issued stays as it is. */
@CommandHandler(SetBillingDetailsCommand)
export class SetBillingDetailsHandler implements ICommandHandler<SetBillingDetailsCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
  ) {}

  async execute(asked: SetBillingDetailsCommand): Promise<Made<BillingDetails>> {
    const { accountId, change, body } = asked;
    const { tax, ...buyer } = body;
    const known = await knownAccount(this.loader, accountId);
    const id = this.ids.next(accountId, change);
    const keep = keeping(this.profiles, accountId, known);
    const profile = await keep(profileIdOf(id, change), { buyer });
    const origin = originOf(change);
    const said = { profile, ...(tax !== undefined && { tax }) };
    const command = { command: 'change-billing', origin, ...said } as const;
    const done = await this.changes.submit(accountId, id, change, command, billingTag);
    return { view: { tag: billingTag(done.state), buyer: body }, replayed: done.replayed };
  }
}

/** The row that holds them is another one whenever they are. */
function rowOf({ profile, billing }: AccountState): string {
  return billing.profile?.id ?? profile;
}

const billingTag: TagOf = (state) => contentTag(rowOf(state));

/** Until they are filled in there is the account's name. Throws a ProblemException (`not-found`). */
export async function readBillingDetails(
  pool: pg.Pool,
  loader: AccountLoader,
  accountId: string,
): Promise<BillingDetails> {
  const state = await knownAccount(loader, accountId);
  const row = rowOf(state);
  const profiles = await findProfiles(pool, [row]);
  const { buyer, name = '' } = profiles.get(row) ?? {};
  const { tax } = state.billing;
  const details = { ...(buyer ?? { name }), ...(tax !== undefined && { tax }) };
  return { tag: billingTag(state), buyer: details };
}
