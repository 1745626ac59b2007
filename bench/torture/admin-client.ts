import { setTimeout as delay } from 'node:timers/promises';
import type { Journal } from './journal.js';
import type { SeededRandom } from './seeded.js';
import { ADMIN_TOKEN } from './site.js';
import { Wire, type WireAnswer } from './wire.js';

const RETRY_MS = 300;
const AGAIN = new Set([503, 504, 429]);

export type Body = Readonly<Record<string, unknown>>;

/** The operator's program: asks any accounting process, again and again under one key. */
export class AdminClient {
  constructor(
    private readonly ports: readonly number[],
    private readonly random: SeededRandom,
    private readonly journal: Journal,
  ) {}

  /** One attempt. Undefined: no answer. */
  async once(
    method: string,
    path: string,
    body?: Body,
    idempotencyKey?: string,
  ): Promise<WireAnswer | undefined> {
    const wire = new Wire(this.random.pick(this.ports));
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      connection: 'close',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = { method, path: `/admin/v1${path}`, headers, body: text };
    const [outcome] = await wire.ask([request]);
    wire.close();
    if (outcome?.got !== 'answer') return undefined;
    this.journal.count(`admin ${method} ${outcome.status}`);
    if (outcome.status === 500) {
      this.journal.violation('no 500', `Admin ${method} ${path}`, outcome.body);
    }
    return outcome;
  }

  /** Until it is answered with something that another attempt would not change. */
  async until(
    method: string,
    path: string,
    body: Body | undefined,
    idempotencyKey: string,
    going: () => boolean,
  ): Promise<WireAnswer | undefined> {
    for (;;) {
      const answer = await this.once(method, path, body, idempotencyKey);
      if (answer !== undefined && !AGAIN.has(answer.status)) return answer;
      if (!going()) return undefined;
      await delay(RETRY_MS);
    }
  }
}

export function bodyOf(answer: WireAnswer): Record<string, unknown> {
  return answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
}
