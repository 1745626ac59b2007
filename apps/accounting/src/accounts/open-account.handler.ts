import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { evolve } from '#account/evolve.js';
import { initialState } from '#account/state.js';
import { Calendar } from '#calendar/calendar.js';
import { accountView, present } from '#ledger/account-view.js';
import type { AccountView } from '#ledger/account-reads.js';
import { Profiles } from '#ledger/profiles.js';
import { requireRateCard } from '#rest/rate-cards/found-rate-card.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import type { OpenAccountBody } from './open-account.body.js';

export class OpenAccountCommand extends Command<Made<AccountView>> {
  constructor(
    readonly change: Change,
    readonly body: OpenAccountBody,
  ) {
    super();
  }
}

/** Opens an account, whose id is its command's: a retry under the same key finds the same one. */
@CommandHandler(OpenAccountCommand)
export class OpenAccountHandler implements ICommandHandler<OpenAccountCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(RateCards) private readonly rateCards: RateCards,
  ) {}

  async execute({ change, body }: OpenAccountCommand): Promise<Made<AccountView>> {
    await requireRateCard(this.rateCards, body.rate_card, '/rate_card');
    const id = this.ids.next('accounts', change);
    const { name, rate_limit: limit, test_clock: testClock } = body;
    const profile = await this.profiles.save(profileIdOf(id, change), id, { name });
    const { event, replayed } = await this.changes.submit(id, id, change, {
      command: 'open-account',
      origin: originOf(change),
      profile,
      currency: body.currency,
      overdraft: overdraftOf(body),
      test: testClock !== null,
      testClock,
      rateLimit: limit && { perSecond: limit.per_second, burst: limit.burst },
      lowBalance: body.low_balance_credits,
      rateCard: body.rate_card,
      plan: body.plan,
    });
    if (event === null) throw new Error(`Command ${id} opened no account.`);
    // The account as it was opened, so that a retry is answered as the first request was.
    const { state, at } = present(evolve(initialState, event), event.at, this.calendar);
    return { view: accountView(id, name, state, at, this.calendar), replayed };
  }
}

/** Whoever pays for what was called when the month ends has no limit unless told. */
function overdraftOf({ overdraft_credits: overdraft, plan }: OpenAccountBody): number | null {
  if (overdraft !== undefined) return overdraft;
  return plan === null ? 0 : null;
}
