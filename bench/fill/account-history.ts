import type { Command } from '#account/commands.js';
import type { Terms } from '#account/decide-call.js';
import type { NewEvent } from '#event-log/event-log.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import { unopened } from '#projections/snapshots/account-tail.js';
import { fold } from '#deciding/fold.js';
import type { Pending } from '#deciding/submission.js';
import { openingCommands } from '../account-opening.js';
import { unnamedCharge } from '../charge-request.js';
import { ordinalOfCall, windowsOf, type FillPlan, type FillWindow } from './fill-plan.js';
import { openingNames, suffixOf } from './filled-account.js';

/** Everything that happens to the first account of a plan, decided by the service's own code. */
export class AccountHistory {
  private readonly names = openingNames(0);
  private account: LoadedAccount = unopened;
  private commands = 0;

  constructor(
    private readonly plan: FillPlan,
    private readonly terms: Terms,
  ) {}

  /** The events in their order. To be asked for once. */
  *events(): Generator<NewEvent> {
    const { from, terms } = this.plan;
    for (const command of openingCommands(this.names, terms)) {
      yield* this.decide(this.nextId(from), command, from);
    }
    for (const window of windowsOf(this.plan)) yield* this.calls(window);
  }

  private *calls(window: FillWindow): Generator<NewEvent> {
    const charges = Array.from({ length: window.keys }, (_, ordinal) =>
      unnamedCharge(ordinal, window.label),
    );
    for (let call = 0; call < window.calls; call += 1) {
      const charge = charges[ordinalOfCall(window, call)];
      if (charge === undefined) throw new Error(`Window ${window.label} has too few resources.`);
      const at = window.from + Math.floor((call * (window.to - window.from)) / window.calls);
      const callId = this.nextId(at);
      const { accountId } = this.names;
      const request = { callId, accountId, notAfter: this.plan.to, ...charge };
      yield* this.decide(callId, { command: 'make-call', request }, at);
    }
  }

  private decide(callId: string, command: Command, at: number): readonly NewEvent[] {
    const { account } = this;
    const never = () => false;
    const known = {
      account: () => account,
      first: () => undefined,
      adjusted: never,
      replayed: never,
    };
    const pending = this.pending(callId, command);
    const [lane] = fold([pending], known, at, this.terms).lanes.values();
    const [answer] = lane?.answers ?? [];
    if (lane === undefined || answer === undefined || answer.answer.refusal !== null) {
      throw new Error(`Refused: ${JSON.stringify(answer?.answer)}`);
    }
    this.account = lane.accounts.get(this.names.accountId) ?? account;
    this.account.state.opened.compact();
    return lane.events;
  }

  private pending(callId: string, command: Command): Pending {
    const { accountId } = this.names;
    const { to: notAfter } = this.plan;
    return {
      submission: { accountId, callId, isRetry: false, notAfter, command },
      resolve: () => undefined,
      reject: () => undefined,
      isRetry: false,
      uncertainSinceHead: null,
    };
  }

  /** A UUIDv7 of a moment; number and account stand where it is random otherwise. */
  private nextId(at: number): string {
    this.commands += 1;
    const time = at.toString(16).padStart(12, '0');
    const number = this.commands.toString(16).padStart(6, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-8${number.slice(3)}-${suffixOf(0)}`;
  }
}
