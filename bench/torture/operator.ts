import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, type AdminClient, type Body } from './admin-client.js';
import type { Customer } from './customers.js';
import type { Change, Journal } from './journal.js';
import type { SeededRandom } from './seeded.js';
import type { WireAnswer } from './wire.js';

/** Grants of the set-up have another one. */
export const PRIORITIES_FROM = 1_000;

const PAUSE_MS_MOST = 400;
const KEYS_MAX = 3;
const HOUR_MS = 3_600_000;
const DAYS_MOST = 9;

export interface OperatorParts {
  readonly admin: AdminClient;
  readonly customers: readonly Customer[];
  readonly journal: Journal;
  readonly random: SeededRandom;
  readonly going: () => boolean;
  /** Sets the keys of this run apart from those of any other. */
  readonly run: string;
}

/** Changes accounts, each change under one idempotency key until it is answered. */
export class Operator {
  constructor(private readonly parts: OperatorParts) {}

  async run(): Promise<void> {
    const { random, customers, going } = this.parts;
    while (going()) {
      await this.act(random.pick(customers));
      await delay(random.between(0, PAUSE_MS_MOST));
    }
    // Nobody is left suspended, so that what comes after the run can still call.
    for (const customer of customers) if (customer.everSuspended) await this.resume(customer, true);
  }

  private act(customer: Customer): Promise<void> {
    const act = this.parts.random.weighted<() => Promise<void>>([
      [customer.topUp > 0 ? 10 : 1, () => this.grant(customer)],
      [4, () => this.giveBack(customer)],
      [2, () => this.adjust(customer)],
      [2, () => this.suspendAndResume(customer)],
      [3, () => this.changeKeys(customer)],
      [customer.clock === null ? 0 : 8, () => this.moveClock(customer)],
    ]);
    return act();
  }

  private async grant(customer: Customer): Promise<void> {
    const { random } = this.parts;
    const now = customer.clock ?? Date.now();
    const ahead =
      customer.clock === null ? random.between(3, 25) * 1_000 : random.between(1, 200) * HOUR_MS;
    const expires = random.chance(0.5) ? new Date(now + ahead).toISOString() : null;
    const credits = random.between(1, Math.max(10, customer.topUp));
    await this.change(customer, 'grant', '/grants', (sequence) => ({
      credits,
      kind: 'promotional',
      expires_at: expires === null ? null : expires.replace(/\.\d+Z$/, 'Z'),
      // The one number of a grant that is kept and means nothing here: it names the change.
      priority: PRIORITIES_FROM + sequence,
    }));
  }

  private async giveBack(customer: Customer): Promise<void> {
    const { random } = this.parts;
    if (customer.recent.length === 0) return;
    const { callId, credits } = random.pick(customer.recent);
    const given = random.chance(0.5) ? credits : random.between(1, credits);
    await this.change(customer, 'give-back', '/adjustments', (sequence) => ({
      credits: given,
      reason: `change ${sequence}`,
      call_id: callId,
    }));
  }

  private async adjust(customer: Customer): Promise<void> {
    const credits = this.parts.random.pick([-7, -3, 5, 11, 40]);
    await this.change(customer, 'adjust', '/adjustments', (sequence) => ({
      credits,
      reason: `change ${sequence}`,
    }));
  }

  private async suspendAndResume(customer: Customer): Promise<void> {
    const { random } = this.parts;
    customer.everSuspended = true;
    await this.change(customer, 'suspend', '/suspend', (sequence) => ({
      reason: `change ${sequence}`,
    }));
    await delay(random.between(0, 500));
    await this.resume(customer);
  }

  private async resume(customer: Customer, anyway = false): Promise<void> {
    const body = (sequence: number): Body => ({ reason: `change ${sequence}` });
    await this.change(customer, 'resume', '/resume', body, anyway);
  }

  private async changeKeys(customer: Customer): Promise<void> {
    const { keys } = customer;
    const oldest = keys[0];
    if (keys.length >= KEYS_MAX && oldest !== undefined) {
      await this.revoke(customer, oldest.id);
      customer.keys = keys.filter(({ id }) => id !== oldest.id);
      return;
    }
    const begunAt = performance.now();
    const made = await this.change(customer, 'issue', '/api-keys', (sequence) => ({
      label: `change ${sequence}`,
    }));
    const { id, key } = made === undefined ? {} : bodyOf(made);
    if (this.parts.journal.lost.covers(begunAt, performance.now())) return;
    // A replay does not return the secret again: such a key is revoked, as its owner would.
    if (typeof key === 'string') customer.keys = [...keys, { id: String(id), secret: key }];
    else if (typeof id === 'string') await this.revoke(customer, id);
  }

  private async revoke(customer: Customer, keyId: string): Promise<void> {
    const { admin, journal, run, going } = this.parts;
    const change = journal.newChange(customer.accountId, 'revoke');
    const path = `/accounts/${customer.accountId}/api-keys/${keyId}`;
    const key = `${run}-${change.sequence}`;
    const answer = await admin.until('DELETE', path, undefined, key, going);
    this.note(change, answer, keyId);
  }

  private async moveClock(customer: Customer): Promise<void> {
    const { random } = this.parts;
    const clock = (customer.clock ?? 0) + random.between(1, DAYS_MOST * 24) * HOUR_MS;
    const now = new Date(clock).toISOString().replace(/\.\d+Z$/, 'Z');
    const answer = await this.change(customer, 'clock', '/test-clock', () => ({ now }), true);
    if (answer?.status === 200) customer.clock = clock;
  }

  private async change(
    customer: Customer,
    what: string,
    path: string,
    body: (sequence: number) => Body,
    anyway = false,
  ): Promise<WireAnswer | undefined> {
    const { admin, journal, random, run, going } = this.parts;
    const change = journal.newChange(customer.accountId, what);
    const asked = body(change.sequence);
    const url = `/accounts/${customer.accountId}${path}`;
    const key = `${run}-${change.sequence}`;
    const answer = await admin.until('POST', url, asked, key, () => anyway || going());
    this.note(change, answer);
    if (answer !== undefined && answer.status < 300 && random.chance(0.1)) {
      await this.replay(change, url, asked, key);
    }
    return answer;
  }

  /** Asked once more, it answers as before. */
  private async replay(change: Change, url: string, body: Body, key: string): Promise<void> {
    const { admin, journal } = this.parts;
    const again = await admin.once('POST', url, body, key);
    if (again === undefined || again.status >= 500) return;
    const id = String(bodyOf(again).id);
    if (again.status < 300 && id === change.acknowledged) return;
    if (journal.lost.covers(change.begunAt, performance.now())) return;
    const text = `Change ${change.sequence} (${change.what}) was ${change.acknowledged}, then ${id}.`;
    journal.violation('a replay answers as before', text, `${again.status} ${again.body}`);
  }

  private note(change: Change, answer: WireAnswer | undefined, id?: string): void {
    const { journal } = this.parts;
    if (answer === undefined) return;
    change.endedAt = performance.now();
    if (answer.status < 300) change.acknowledged = id ?? String(bodyOf(answer).id);
    else change.refused = `${answer.status} ${answer.body}`;
    journal.count(`change ${change.what} ${answer.status}`);
    if (answer.status < 300 || answer.status === 409 || answer.status === 500) return;
    // A grant that was to expire in seconds may be asked for after that, during an outage.
    if (answer.status === 400 && answer.body.includes('expires_at')) return;
    // What it referred to may be gone.
    if (journal.mayBeLost(change)) return;
    const text = `Change ${change.sequence} (${change.what}) of ${change.accountId}`;
    journal.violation('only expected answers', text, `${answer.status} ${answer.body}`);
  }
}
