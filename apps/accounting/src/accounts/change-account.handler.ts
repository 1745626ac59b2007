import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pg from 'pg';
import type { AccountState } from '#account/state.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { findProfiles, Profiles } from '#ledger/profiles.js';
import { requireRateCard } from '#rest/rate-cards/found-rate-card.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import type { ChangeAccountBody } from './change-account.body.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import { keeping } from '#deciding/changes/keep-profile.js';
import { foundAccount, knownAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

/** Changes what the body holds, and nothing where all is so already. */
export class ChangeAccountCommand extends Command<Made<AccountView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: ChangeAccountBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeAccountCommand)
export class ChangeAccountHandler implements ICommandHandler<ChangeAccountCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(RateCards) private readonly rateCards: RateCards,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute({ accountId, change, body }: ChangeAccountCommand): Promise<Made<AccountView>> {
    const state = await knownAccount(this.loader, accountId);
    await requireRateCard(this.rateCards, body.rate_card ?? null, '/rate_card');
    const id = this.ids.next(accountId, change);
    const { name, rate_limit: limit } = body;
    const keep = keeping(this.profiles, accountId, state);
    const isRenamed = name !== undefined && (await this.nameOf(state)) !== name;
    const profile = isRenamed ? await keep(profileIdOf(id, change), { name }) : undefined;
    const { replayed } = await this.changes.submit(accountId, id, change, {
      command: 'change-account',
      origin: originOf(change, body.reason),
      changes: {
        profile,
        overdraft: body.overdraft_credits,
        rateLimit: limit && { perSecond: limit.per_second, burst: limit.burst },
        lowBalance: body.low_balance_credits,
        rateCard: body.rate_card,
        plan: body.plan,
      },
    });
    return { view: foundAccount(await this.reads.account(accountId)), replayed };
  }

  private async nameOf({ profile }: AccountState): Promise<string | undefined> {
    return (await findProfiles(this.pool, [profile])).get(profile)?.name;
  }
}
