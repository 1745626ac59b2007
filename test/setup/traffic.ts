import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Customer, ServiceClient } from './service.js';
import { waitFor } from './wait-for.js';

const CALLERS = 4;
const PATHS = ['us', 'gb', 'fr', 'kr'].map(
  (region) => `/v1/latest/cat1/trends/top5/popindex/${region}/beauty`,
);
const SETTLED_MS = 30_000;
/** Between an answer and the next call, so that a story leaves the machine to others. */
const PAUSE_MS = 10;
const SERVED = 50;
/** Answer to the name of a call that was given back. */
export const GIVEN_BACK = 'idempotency-key-used';

interface Served {
  readonly id: string;
  readonly credits: number;
  /** By `performance.now()`. */
  readonly at: number;
}

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

interface CallPage {
  readonly items: readonly { readonly call_id: string }[];
  readonly next: string | null;
}

/** Content of the log for an account. */
interface Logged {
  /** Ids of its calls, in order, each as often as it stands there. */
  readonly ids: readonly string[];
  readonly balance: number;
}

/** Waits until each of them has answers to so many more calls. */
export async function more(traffics: readonly Traffic[], calls = SERVED): Promise<void> {
  const enough = traffics.map(({ served }) => served.length + calls);
  await waitFor(
    'calls are answered',
    () => traffics.every(({ served }, index) => served.length >= (enough[index] ?? 0)),
    SETTLED_MS,
  );
}

/** A customer's programs, which call `pauseMs` after each answer until stopped. */
export class Traffic {
  readonly served: Served[] = [];
  readonly refused: Refused[] = [];
  /** Calls that got no answer at all. */
  lost = 0;
  private going = true;
  private readonly callers: readonly Promise<void>[];

  private constructor(
    private readonly customer: Customer,
    private readonly pauseMs: number,
    private readonly isNamed: boolean,
  ) {
    this.callers = Array.from({ length: CALLERS }, (_, index) => this.call(index));
  }

  static start(customer: Customer, pauseMs = PAUSE_MS): Traffic {
    return new Traffic(customer, pauseMs, false);
  }

  /**
   * The same, each call under a name, by which it is asked again until it is answered, or its name
   * is said to be used: its fate was unknown for so long that it was given back.
   */
  static startNamed(customer: Customer, pauseMs: number): Traffic {
    return new Traffic(customer, pauseMs, true);
  }

  /** Credits of all answers. */
  get credits(): number {
    return this.served.reduce((sum, { credits }) => sum + credits, 0);
  }

  async stop(): Promise<void> {
    this.going = false;
    await Promise.all(this.callers);
  }

  async logged(service: ServiceClient): Promise<Logged> {
    const account = `/accounts/${this.customer.accountId}`;
    const ids: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { body } = await service.admin(`${account}/calls?limit=1000${after}`);
      const { items, next } = body as unknown as CallPage;
      ids.push(...items.map(({ call_id }) => call_id));
      after = next === null ? null : `&after=${next}`;
    }
    const { body } = await service.admin(account);
    return { ids, balance: Number(body.balance) };
  }

  /**
   * Every answered call stands in the log once, a call whose fate was unknown or whose answer was
   * lost was given back or never charged: the account has paid for its answers and nothing else.
   */
  async expectExact(service: ServiceClient, credits: number): Promise<void> {
    const owed = credits - this.credits;
    await waitFor(
      `the balance is ${owed}`,
      async () => (await this.logged(service)).balance === owed,
      SETTLED_MS,
    );
    const { ids } = await this.logged(service);
    const unknown = this.refused.filter(({ code }) => code === 'outcome-unknown').length;
    expect(ids).toEqual(expect.arrayContaining(this.served.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length - this.served.length).toBeLessThanOrEqual(unknown + this.lost);
  }

  private async call(index: number): Promise<void> {
    for (let calls = index; this.going; calls += 1) {
      const path = PATHS[calls % PATHS.length] ?? '';
      const headers: Record<string, string> = this.isNamed
        ? { 'idempotency-key': `pull-${index}-${calls}` }
        : {};
      try {
        while (!this.note(await this.customer.get(path, headers)) && this.isNamed) {
          await pause(this.pauseMs);
        }
      } catch {
        this.lost += 1;
        // A service that is gone refuses at once: going on would be a busy loop.
        if (this.lost > CALLERS) return;
      }
      await pause(this.pauseMs);
    }
  }

  /** Whether nothing else will be answered. */
  private note({ status, headers, body }: Answer): boolean {
    if (status === 200) {
      const id = headers.get('call-id') ?? '';
      this.served.push({ id, credits: Number(body.credits_used), at: performance.now() });
      return true;
    }
    const code = String(body.code);
    this.refused.push({ status, code, detail: String(body['detail']) });
    return code === GIVEN_BACK;
  }
}
