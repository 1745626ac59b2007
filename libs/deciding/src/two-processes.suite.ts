import type { Command } from '#account/commands.js';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import type { AccountState } from '#account/state.js';
import { AppendUncertainError, type EventLog } from '#event-log/event-log.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { Accounting } from './accounting.js';
import type { Answer } from './submission.js';

export const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';

const NOT_AFTER = TUESDAY + 60_000;

/** Two accounting processes on one log, which take commands of one account. */
export class TwoProcesses {
  readonly log = new MemoryEventLog();
  private losing = false;
  private readonly processes = [0, 1].map(() => this.process());

  submit(which: number, command: Command, callId: string): Promise<Answer<AccountState>> {
    const process = this.processes[which % 2];
    if (process === undefined) throw new Error('There are two processes.');
    const asked = { accountId: ACCOUNT, callId, isRetry: true, notAfter: NOT_AFTER, command };
    return process.submit(asked);
  }

  /** A commit of the next append happens, and nobody hears of it. */
  lose(): void {
    this.losing = true;
  }

  private process(): Accounting {
    const store = Object.create(this.log) as EventLog;
    store.append = async (appends) => {
      const ends = await this.log.append(appends);
      if (!this.losing) return ends;
      this.losing = false;
      throw new AppendUncertainError('The connection went away.');
    };
    return new Accounting({
      log: store,
      loader: new SimulatedLedger(this.log),
      clock: { now: () => TUESDAY },
      terms: () => terms,
      events: { onFault: () => undefined },
      retryWait: () => new Promise((resolve) => setImmediate(resolve)),
    });
  }
}
