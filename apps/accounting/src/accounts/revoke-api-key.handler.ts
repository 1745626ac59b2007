import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pg from 'pg';
import { findIssuedKey } from '#ledger/api-keys.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import type { Reason } from '#rest/operation/reason.js';

/** Revokes a key at once; doing it again changes nothing. */
export class RevokeApiKeyCommand extends Command<Made<null>> {
  constructor(
    readonly accountId: string,
    readonly keyId: string,
    readonly change: Change,
    readonly body: Reason,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKeyCommand)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKeyCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  async execute({ accountId, keyId, change, body }: RevokeApiKeyCommand): Promise<Made<null>> {
    const id = this.ids.next(accountId, change);
    const { replayed } = await this.changes.submit(accountId, id, change, {
      command: 'revoke-api-key',
      origin: originOf(change, body.reason),
      keyId,
      wasIssued: (await findIssuedKey(this.pool, accountId, keyId)) !== undefined,
    });
    return { view: null, replayed };
  }
}
