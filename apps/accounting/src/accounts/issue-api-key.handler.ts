import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountLoader } from '#ledger/account-loader.js';
import { Profiles } from '#ledger/profiles.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { issuedApiKeyView, type IssuedApiKeyView } from './api-key-view.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import type { IssueApiKeyBody } from './issue-api-key.body.js';
import { keeping } from '#deciding/changes/keep-profile.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { newApiKey, type NewApiKey } from './new-api-key.js';

export class IssueApiKeyCommand extends Command<Made<IssuedApiKeyView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: IssueApiKeyBody,
    /** Drawn and kept before it is issued; absent: one is drawn. */
    readonly drawn?: NewApiKey,
  ) {
    super();
  }
}

@CommandHandler(IssueApiKeyCommand)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKeyCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
  ) {}

  async execute(command: IssueApiKeyCommand): Promise<Made<IssuedApiKeyView>> {
    const { accountId, change, body, drawn } = command;
    const state = await knownAccount(this.loader, accountId);
    const id = this.ids.next(accountId, change);
    const { key, ...kept } = drawn ?? newApiKey(state.testClock !== null);
    const { label, scopes, expires_at: expiresAt } = body;
    const profile = await keeping(
      this.profiles,
      accountId,
      state,
    )(profileIdOf(id, change), { label });
    const done = await this.changes.submit(accountId, id, change, {
      command: 'issue-api-key',
      origin: originOf(change),
      keyId: id,
      ...kept,
      scopes,
      expiresAt,
      profile,
    });
    if (done.event?.type !== 'ApiKeyIssued') throw new Error(`Command ${id} issued no API key.`);
    // Only the key whose hash stands in the log opens anything: another request may have won.
    const ours = done.event.data.hash === kept.hash;
    return { view: issuedApiKeyView(done.event, label, ours ? key : undefined), replayed: !ours };
  }
}
