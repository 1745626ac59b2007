import type { ChargedCall, Charging, QuotedCall } from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import type { Clock } from '#calendar/clock.js';
import type { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import { windowOfKey } from '#rating/key-parts.js';
import { resourceOfPath } from '#rating/resource-path.js';
import {
  chargedPart,
  type LocatedKey,
  type Locator,
  NO_PINS,
  type Position,
} from '#rest/metered-paths/locate.js';
import type { MeteredPath } from '#rest/metered-paths/metered-path.js';
import type { Problem } from '#web/problem.js';
import { accountingUnavailable, refusalProblem } from '#web/refusal-problem.js';
import { type Caller, forbidden } from '../callers/authenticator.js';
import type { AnswerCache, FoundAnswer } from './answer-cache.js';
import type { CallIds } from './call-ids.js';
import { FinishedAnswer } from './finished-answer.js';

/** How long a call may wait to be decided, in ms. */
export const DECISION_MS = 10_000;
/** The first attempt, one for a window that moved, one for a release that is pinned. */
const ATTEMPTS_MAX = 3;

export interface MeterDependencies {
  readonly charging: Charging;
  readonly unanswered?: UnansweredCalls | undefined;
  readonly locator: Locator;
  readonly answers: AnswerCache;
  readonly clock: Clock;
  readonly ids: CallIds;
}

/** Who waits for the answer of a call. */
export interface Client {
  /** Id of the HTTP request. */
  readonly requestId: string;
  /** Whether it has hung up. */
  gone(): boolean;
  /** Calls back once: when the answer was handed to the socket, or the client has hung up. */
  whenOver(then: () => void): void;
}

export interface SoldCall {
  readonly outcome: 'sold';
  readonly charged: ChargedCall;
  readonly replayed: boolean;
  readonly answer: FinishedAnswer;
  readonly past: boolean;
}

export interface QuotedAnswer {
  readonly outcome: 'quoted';
  readonly quote: QuotedCall;
  readonly located: LocatedKey;
  readonly answer: FinishedAnswer;
}

/** The earlier call of the idempotency key: GET would return its answer again. */
export interface ReplayedCall {
  readonly outcome: 'replayed';
  readonly charged: ChargedCall;
  readonly answer: FinishedAnswer;
}

interface CallRefusal {
  readonly outcome: 'refused';
  readonly problem: Problem;
}

interface PreparedCall {
  readonly outcome: 'prepared';
  readonly located: LocatedKey;
  readonly answer: FinishedAnswer;
}

/** Sells and prices answers: data first, then the charge, so that both always belong together. */
export class Meter {
  constructor(private readonly given: MeterDependencies) {}

  /**
   * One metered call. Throws as Charging and Releases do. Undefined: nobody waits for the answer
   * any more, and nothing was charged.
   */
  async sell(
    caller: Caller,
    path: MeteredPath,
    client: Client,
  ): Promise<SoldCall | CallRefusal | undefined> {
    const { charging, clock, ids, unanswered } = this.given;
    const { accountId, apiKey } = caller.record;
    const { idempotencyKey, maxCredits, tags } = path.options;
    const callId = ids.next(accountId, idempotencyKey);
    const requestId = idempotencyKey === null ? undefined : client.requestId;
    const wantsPlace = wantsReceipt(caller, path);
    let position = this.#start(caller);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const prepared = await this.#prepare(caller, path, position);
      if (prepared.outcome === 'refused') return prepared;
      if (client.gone()) return undefined;
      if (unanswered !== undefined && attempt === 1) {
        const open = unanswered.record({ callId, accountId, requestId });
        client.whenOver(() => unanswered.clear(open));
        // One promise for all calls of this turn.
        await unanswered.writing();
      }
      const { located, answer } = prepared;
      // Member by member: spread into a literal they would cost more than the rest of this
      // function.
      const outcome = await charging.charge({
        callId,
        accountId,
        apiKey,
        key: located.key,
        asked: path.asked,
        resource: path.resource,
        rows: answer.rows,
        window: located.running.label,
        release: located.release.label,
        maxCredits,
        tags,
        isRetry: idempotencyKey !== null || attempt > 1,
        requestId,
        wantsPlace,
        notAfter: clock.now() + DECISION_MS,
      });
      if (outcome.outcome === 'charged') {
        const sold = outcome.replayed ? await this.#first(outcome.charged) : answer;
        if (!(sold instanceof FinishedAnswer)) return sold;
        const { charged, replayed } = outcome;
        return { outcome: 'sold', charged, replayed, answer: sold, past: located.past };
      }
      const moved = this.#moved(outcome.refusal, located, position);
      if (moved === null) return refused(refusalProblem(outcome.refusal));
      position = moved;
    }
    return refused(accountingUnavailable('The week turned during the call; it was not charged.'));
  }

  /** The price of one call, without charging or logging it. */
  async quote(
    caller: Caller,
    path: MeteredPath,
  ): Promise<QuotedAnswer | ReplayedCall | CallRefusal> {
    const { accountId, apiKey } = caller.record;
    const { idempotencyKey } = path.options;
    const callId = idempotencyKey && this.given.ids.next(accountId, idempotencyKey);
    const named = callId === null ? undefined : { callId, asked: path.asked };
    let position = this.#start(caller);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const prepared = await this.#prepare(caller, path, position);
      if (prepared.outcome === 'refused') return prepared;
      const { located, answer } = prepared;
      const items = [chargedPart(path, located, answer)];
      const outcome = await this.given.charging.quote({ accountId, apiKey, items, named });
      if (outcome.outcome === 'quoted' && outcome.first !== undefined) {
        const charged = outcome.first;
        const first = await this.#first(charged);
        return first instanceof FinishedAnswer
          ? { outcome: 'replayed', charged, answer: first }
          : first;
      }
      if (outcome.outcome === 'quoted') {
        const [quote] = outcome.items;
        if (quote === undefined) throw new Error('A quote of one item has no item.');
        return { outcome: 'quoted', quote, located, answer };
      }
      const moved = this.#moved(outcome.refusal, located, position);
      if (moved === null) return refused(refusalProblem(outcome.refusal));
      position = moved;
    }
    return refused(accountingUnavailable('The week turned during the request.'));
  }

  #start(caller: Caller): Position {
    return { running: this.given.locator.calendar.windowAt(caller.now), pins: NO_PINS };
  }

  async #prepare(
    { record }: Caller,
    path: MeteredPath,
    { running, pins }: Position,
  ): Promise<PreparedCall | CallRefusal> {
    const { locator, answers } = this.given;
    const found = locator.locate(path, running, record.test, pins);
    if (found.outcome === 'refused') return found;
    const { key, release, answerName } = found.located;
    const kept = answers.kept(answerName);
    const answered: FoundAnswer = kept
      ? { outcome: 'found', answer: kept }
      : await answers.find(key, release, path.resource);
    if (answered.outcome === 'refused') return answered;
    const barred = forbidden(record, 'data');
    if (barred) return refused(barred);
    return { outcome: 'prepared', located: found.located, answer: answered.answer };
  }

  /** Where to look again after a refusal; null if it is final or was answered once already. */
  #moved(refusal: Refusal, { key }: LocatedKey, position: Position): Position | null {
    const { calendar } = this.given.locator;
    if (refusal.reason === 'window-moved') {
      const running = calendar.windowOf(refusal.window);
      return running && running.label !== position.running.label ? { ...position, running } : null;
    }
    if (refusal.reason !== 'release-moved') return null;
    const release = this.given.locator.release(refusal.release);
    const label = windowOfKey(key);
    if (release === undefined || position.pins.get(label) === release) return null;
    return { ...position, pins: new Map(position.pins).set(label, release) };
  }

  /** The answer that the first decision of a repeated idempotency key was made for. */
  async #first({ call }: ChargedCall): Promise<FinishedAnswer | CallRefusal> {
    const { locator, answers } = this.given;
    const resource = resourceOfPath(call.key);
    const release = locator.release(call.release);
    if (resource === undefined || release === undefined) {
      return refused(accountingUnavailable('The first answer cannot be made again right now.'));
    }
    const found = await answers.find(call.key, release, resource);
    return found.outcome === 'found' ? found.answer : found;
  }
}

/** Whether a call has a receipt: its client prefers one, or its account's terms say so. */
export function wantsReceipt({ record }: Caller, { options }: MeteredPath): boolean {
  return options.receipt || record.receipts;
}

function refused(found: Problem): CallRefusal {
  return { outcome: 'refused', problem: found };
}
