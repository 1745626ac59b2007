import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountLoader } from '#ledger/account-loader.js';
import { Profiles } from '#ledger/profiles.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import type { GrantCreditsBody } from './grant-credits.body.js';
import { givenGrantView, type OperatorGrantView } from './grant-view.js';
import { keeping } from '#deciding/changes/keep-profile.js';
import { knownAccount } from '#deciding/changes/known-account.js';

export class GrantCreditsCommand extends Command<Made<OperatorGrantView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: GrantCreditsBody,
  ) {
    super();
  }
}

@CommandHandler(GrantCreditsCommand)
export class GrantCreditsHandler implements ICommandHandler<GrantCreditsCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
  ) {}

  async execute(asked: GrantCreditsCommand): Promise<Made<OperatorGrantView>> {
    const { accountId, change, body } = asked;
    const { note, expires_at: expiresAt, ...grant } = body;
    const state = await knownAccount(this.loader, accountId);
    const id = this.ids.next(accountId, change);
    const keep = keeping(this.profiles, accountId, state);
    const profile = note === null ? null : await keep(profileIdOf(id, change), { note });
    const done = await this.changes.submit(accountId, id, change, {
      command: 'grant-credits',
      origin: originOf(change),
      grantId: id,
      ...grant,
      expiresAt,
      profile,
    });
    if (done.event?.type !== 'CreditsGranted') throw new Error(`Command ${id} granted nothing.`);
    return { view: givenGrantView(done.event, note), replayed: done.replayed };
  }
}
