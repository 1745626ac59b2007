import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdjustCredits } from '#account/commands.js';
import type { Adjusted } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { AccountReads, CallView } from '#ledger/account-reads.js';
import { invalidBody } from '#web/body.js';
import { AccountChanges, type Done } from '#deciding/changes/account-changes.js';
import type { AdjustCreditsBody } from './adjust-credits.body.js';
import type { Made } from '#deciding/changes/made.js';
import { CallCorrections } from './call-corrections.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export interface AdjustmentView {
  readonly id: string;
  readonly credits: number;
  readonly reason: string;
  readonly call_id: string | null;
  /** Id under which credits that were given are kept and drawn. */
  readonly grant_id: string | null;
  readonly balance: number;
  readonly at: string;
}

export class AdjustCreditsCommand extends Command<Made<AdjustmentView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: AdjustCreditsBody,
  ) {
    super();
  }
}

@CommandHandler(AdjustCreditsCommand)
export class AdjustCreditsHandler implements ICommandHandler<AdjustCreditsCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CallCorrections) private readonly corrections: CallCorrections,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute({ accountId, change, body }: AdjustCreditsCommand): Promise<Made<AdjustmentView>> {
    await knownAccount(this.loader, accountId);
    const commandId = this.ids.next(accountId, change);
    const command: AdjustCredits = {
      command: 'adjust-credits',
      origin: originOf(change, body.reason),
      credits: body.credits,
      call: null,
      grantId: commandId,
    };
    if (body.call_id === null) {
      const done = await this.changes.submit(accountId, commandId, change, command);
      return adjustmentMade(commandId, done);
    }
    const { at, credits_used: charged } = await this.callOf(accountId, body.call_id);
    const call = { callId: body.call_id, charged, at: Date.parse(at) };
    const { id, done } = await this.corrections.submit(accountId, change, { ...command, call });
    return adjustmentMade(id, done);
  }

  private async callOf(accountId: string, callId: string): Promise<CallView> {
    const call = await this.reads.call(accountId, callId);
    if (call !== undefined) return call;
    throw invalidBody([{ pointer: '/call_id', detail: 'The account has made no such call.' }]);
  }
}

function adjustmentMade(id: string, { event, replayed }: Done): Made<AdjustmentView> {
  if (event?.type !== 'Adjusted') throw new Error(`Command ${id} adjusted nothing.`);
  return { view: adjustmentView(id, event), replayed };
}

function adjustmentView(
  id: string,
  { at, data }: { readonly at: number; readonly data: Adjusted },
): AdjustmentView {
  return {
    id,
    credits: data.credits,
    reason: data.reason,
    call_id: data.call_id,
    grant_id: data.grant_id,
    balance: data.balance,
    at: formatMoment(at),
  };
}
