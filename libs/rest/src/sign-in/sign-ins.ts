import type { FastifyRequest } from 'fastify';
import type { Log } from '#web/log.js';
import { ProblemException } from '#web/problem.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import {
  OTHERS,
  type SignInAbout,
  type SignInOutcome,
  type SignInRecords,
} from './sign-in-records.js';

const MINUTE_MS = 60_000;
/** Addresses that one minute names; further ones are counted together. */
const ADDRESSES_MAX = 200;

interface SignInCount {
  readonly outcome: SignInOutcome;
  readonly address: string;
  times: number;
}

/**
 * Counts sign-ins, failed ones and denied roles for the audit and writes them to the log: the first
 * of an address and minute at once, and how many there were when the minute is over. Nobody fills
 * the log with guesses.
 */
export class SignIns {
  private minute = 0;
  private readonly counted = new Map<string, SignInCount>();

  constructor(
    private readonly log: Pick<Log, 'info' | 'warn'>,
    private readonly strangers: Pick<AnonymousRates, 'addressOf'>,
    private readonly records: Pick<SignInRecords, 'count'>,
    private readonly now: () => number,
  ) {}

  note(request: FastifyRequest, outcome: SignInOutcome, about: SignInAbout): void {
    this.turn();
    const sender = this.strangers.addressOf(request.raw);
    this.records.count(outcome, sender, about, this.now());
    const isNamed = this.counted.size < ADDRESSES_MAX || this.counted.has(`${outcome} ${sender}`);
    const address = isNamed ? sender : OTHERS;
    const known = this.counted.get(`${outcome} ${address}`);
    if (known !== undefined) known.times += 1;
    else {
      this.counted.set(`${outcome} ${address}`, { outcome, address, times: 1 });
      this.write({ outcome, address, ...about });
    }
  }

  /** The outcome of a sign-in at a door; records refusals. */
  async tried<Opened>(
    request: FastifyRequest,
    door: SignInAbout['door'],
    open: () => Promise<Opened>,
  ): Promise<Opened> {
    try {
      return await open();
    } catch (error) {
      if (error instanceof ProblemException) this.note(request, 'sign-in-failed', { door });
      throw error;
    }
  }

  private turn(): void {
    const minute = Math.floor(this.now() / MINUTE_MS);
    if (minute === this.minute) return;
    this.minute = minute;
    for (const counted of this.counted.values()) if (counted.times > 1) this.write(counted);
    this.counted.clear();
  }

  private write(members: Omit<SignInCount, 'times'>): void {
    if (members.outcome === 'signed-in') this.log.info(members, 'A sign-in succeeded.');
    else this.log.warn(members, 'A sign-in or a request was refused.');
  }
}
