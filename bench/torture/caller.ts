import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { attemptOf, expectedOutcome } from './attempts.js';
import type { Customer } from './customers.js';
import type { Call, Journal } from './journal.js';
import type { SeededRandom } from './seeded.js';
import type { Site } from './site.js';
import { Wire, type WireOutcome, type WireRequest } from './wire.js';

const RETRIES_MAX = 8;
const RECENT_MAX = 20;
const PAUSE_MS_MOST = 120;

export interface CallerParts {
  readonly site: Site;
  readonly journal: Journal;
  readonly customers: readonly Customer[];
  readonly paths: readonly string[];
  readonly random: SeededRandom;
  readonly going: () => boolean;
}

interface PlannedCall {
  readonly call: Call;
  readonly request: WireRequest;
}

/** One program of a customer: asks, is disappointed, and asks again as real programs do. */
export class Caller {
  private readonly wires = new Map<number, Wire>();

  constructor(private readonly parts: CallerParts) {}

  async run(): Promise<void> {
    const { random, customers, going } = this.parts;
    while (going()) {
      const customer = random.pick(customers);
      await this.act(customer);
      await delay(random.between(0, PAUSE_MS_MOST));
    }
    for (const wire of this.wires.values()) wire.close();
  }

  private act(customer: Customer): Promise<void> {
    const { random } = this.parts;
    const act = random.weighted<() => Promise<void>>([
      [45, () => this.once(customer)],
      [25, () => this.retried(customer)],
      [6, () => this.pipelined(customer)],
      [5, () => this.leaving(customer)],
      [4, () => this.twiceAtOnce(customer)],
      [15, () => this.free(customer)],
    ]);
    return act();
  }

  /** Without an idempotency key: each attempt is a call of its own. */
  private async once(customer: Customer): Promise<void> {
    await this.send(customer, this.api(), [this.plan(customer, null)]);
  }

  /** The same key until there is an answer that stays. */
  private async retried(customer: Customer): Promise<void> {
    const { random, going } = this.parts;
    const planned = this.plan(customer, randomUUID());
    for (let tries = 0; tries < RETRIES_MAX; tries += 1) {
      const leaveAfterMs = random.chance(0.08) ? random.between(1, 40) : undefined;
      await this.send(customer, this.api(), [planned], leaveAfterMs);
      const last = planned.call.attempts.at(-1);
      const isOver = last?.got === 'answer' && ![503, 504, 429].includes(last.status);
      if (isOver && random.chance(0.9)) return;
      if (!going()) return;
      await delay(Math.min(2_000, 50 * 2 ** tries) * (0.5 + random.next() / 2));
    }
  }

  private async pipelined(customer: Customer): Promise<void> {
    const { random } = this.parts;
    const count = random.between(2, 8);
    const all = Array.from({ length: count }, () =>
      this.plan(customer, random.chance(0.3) ? randomUUID() : null),
    );
    const leaveAfterMs = random.chance(0.2) ? random.between(1, 60) : undefined;
    await this.send(customer, this.api(), all, leaveAfterMs);
  }

  private async leaving(customer: Customer): Promise<void> {
    const { random } = this.parts;
    await this.send(customer, this.api(), [this.plan(customer, null)], random.between(0, 30));
  }

  private async twiceAtOnce(customer: Customer): Promise<void> {
    const planned = this.plan(customer, randomUUID());
    await Promise.all([
      this.send(customer, 0, [planned], undefined, true),
      this.send(customer, 1, [planned], undefined, true),
    ]);
  }

  /** Reads and quotes: they cost nothing and must be answered like everything else. */
  private async free(customer: Customer): Promise<void> {
    const { random, paths } = this.parts;
    const authorization = this.authorization(customer);
    const urls = [random.pick(paths), random.pick(paths)];
    const request = random.weighted<WireRequest>([
      [4, { method: 'GET', path: '/v1/account', headers: { authorization } }],
      [2, { method: 'GET', path: '/v1/account/windows', headers: { authorization } }],
      [1, { method: 'GET', path: '/v1/account/calls?limit=50', headers: { authorization } }],
      [3, { method: 'HEAD', path: random.pick(paths), headers: { authorization } }],
      [
        3,
        {
          method: 'POST',
          path: '/v1/quotes',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ urls }),
        },
      ],
    ]);
    const api = this.api();
    const sentAt = performance.now();
    const wire = this.wire(api);
    const [outcome] = await wire.ask([request]);
    if (outcome !== undefined) this.judge(api, wire, request, outcome, sentAt);
  }

  private plan(customer: Customer, idempotencyKey: string | null): PlannedCall {
    const { random, paths, journal } = this.parts;
    const path = random.pick(paths);
    const call = journal.newCall(customer.accountId, path, idempotencyKey);
    const entityTag = customer.entityTags.get(path);
    const isConditional = entityTag !== undefined && random.chance(0.2);
    const headers: Record<string, string> = {
      authorization: this.authorization(customer),
      'credits-tag': `call=${call.tag}`,
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      ...(isConditional && { 'if-none-match': entityTag }),
      ...(random.chance(0.1) && { 'credits-max': random.pick(['10', '35', '2000', '100000']) }),
    };
    return { call, request: { method: 'GET', path, headers } };
  }

  private async send(
    customer: Customer,
    api: number,
    planned: readonly PlannedCall[],
    leaveAfterMs?: number,
    alone = false,
  ): Promise<void> {
    const sentAt = performance.now();
    const wire = alone ? new Wire(this.parts.site.clientPorts[api] ?? 0) : this.wire(api);
    const outcomes = await wire.ask(
      planned.map(({ request }) => request),
      leaveAfterMs,
    );
    if (alone) wire.close();
    const wasKilled = this.parts.site.wasKilled(api, wire.openedAt, sentAt);
    planned.forEach(({ call, request }, index) => {
      const outcome = outcomes[index] ?? { got: 'close' as const };
      const died = outcome.got === 'close' && wasKilled;
      const attempt = attemptOf({ api, sentAt, died }, outcome);
      call.attempts.push(attempt);
      this.judge(api, wire, request, outcome, sentAt);
      const isLost = this.parts.journal.lost.covers(sentAt, attempt.endedAt);
      const isSold = attempt.status === 200 || attempt.status === 304;
      if (outcome.got === 'answer' && isSold && !isLost) {
        const entityTag = outcome.headers.get('etag');
        if (entityTag !== undefined) customer.entityTags.set(request.path, entityTag);
        const { callId, credits } = attempt;
        customer.recent.push({ callId, credits });
        if (customer.recent.length > RECENT_MAX) customer.recent.shift();
      }
    });
  }

  private judge(
    api: number,
    wire: Wire,
    { method, path }: WireRequest,
    outcome: WireOutcome,
    sentAt: number,
  ): void {
    const { journal, site } = this.parts;
    const now = performance.now();
    const disturbed = site.wasDisturbed(api, wire.openedAt, sentAt, now);
    const label = path.startsWith('/v1/account') ? path.split('?')[0] : `${method} metered`;
    const status = outcome.got === 'answer' ? String(outcome.status) : outcome.got;
    journal.count(`${label} ${status}`);
    if (!disturbed && outcome.got !== 'left') {
      journal.answered(now - sentAt, `api-${api} ${label}: ${status}`);
    }
    if (outcome.got === 'silence' && !disturbed) {
      const text = `api-${api} left ${method} ${path} for ${Math.round(now - sentAt)} ms.`;
      journal.violation('no client waits longer than 15 s', text, site.apis[api]?.tail());
    }
    const wrong = outcome.got === 'answer' ? expectedOutcome(outcome) : null;
    if (wrong !== null) journal.violation(wrong, `api-${api} ${method} ${path}`, evidence(outcome));
  }

  private api(): number {
    return this.parts.random.pick([0, 1]);
  }

  private wire(api: number): Wire {
    const known = this.wires.get(api);
    if (known?.isOpen === true) return known;
    const wire = new Wire(this.parts.site.clientPorts[api] ?? 0);
    this.wires.set(api, wire);
    return wire;
  }

  /** Mostly the newest key; sometimes an old one, which may just be revoked. */
  private authorization(customer: Customer): string {
    const { random } = this.parts;
    const key = random.chance(0.8) ? customer.keys.at(-1) : random.pick(customer.keys);
    return `Bearer ${key?.secret ?? ''}`;
  }
}

function evidence(outcome: WireOutcome): string {
  if (outcome.got !== 'answer') return outcome.got;
  return `${outcome.status} ${outcome.headers.get('request-id') ?? ''}\n${outcome.body.slice(0, 600)}`;
}
