import { windowOfCall } from '#account/evolve-call.js';
import type { Calendar } from '#calendar/calendar.js';
import { memberOfKey, nameOfKey } from '#rating/key-parts.js';
import type { StoredCall } from './stored-calls.js';

/** Use of one key by one account in one window. */
export interface KeySum {
  readonly accountId: string;
  readonly window: string;
  readonly key: string;
  /** Ms since 1970. */
  readonly firstCallAt: number;
  calls: number;
  credits: number;
}

/** Calls of an account on one day that are alike in all that usage is grouped by. */
export interface DaySum {
  readonly accountId: string;
  /** Label of the day in the billing zone. */
  readonly day: string;
  readonly window: string;
  readonly resource: string;
  readonly region: string;
  readonly rule: string;
  readonly kind: string;
  /** Ordinal in the account. */
  readonly apiKey: number;
  calls: number;
  /** Credits. */
  callCost: number;
  dataCost: number;
}

/** Sums of calls of an account, by what makes calls alike. */
export class UsageSums {
  readonly keys = new Map<string, KeySum>();
  readonly days = new Map<string, DaySum>();

  /** Adds the next call. */
  add({ accountId, at, call }: StoredCall, calendar: Calendar): void {
    const { key, kind, rule, api_key: apiKey } = call;
    const [callCost, dataCost] = call.cost;
    const window = windowOfCall(call);
    const credits = callCost + dataCost;
    this.addKey(`${window} ${key}`, {
      accountId,
      window,
      key,
      firstCallAt: at,
      calls: 1,
      credits,
    });
    const { label: day } = calendar.dayAt(at);
    const resource = nameOfKey(key);
    const region = memberOfKey(key, resource, 'region');
    const alike = { accountId, day, window, resource, region, rule, kind, apiKey };
    const id = `${day} ${window} ${resource} ${region} ${kind} ${apiKey} ${rule}`;
    this.addDay(id, { ...alike, calls: 1, callCost, dataCost });
  }

  /** Adds sums of later calls. */
  addAll({ keys, days }: UsageSums): void {
    for (const [id, sum] of keys) this.addKey(id, sum);
    for (const [id, sum] of days) this.addDay(id, sum);
  }

  private addKey(id: string, added: KeySum): void {
    const sum = this.keys.get(id);
    if (sum === undefined) {
      this.keys.set(id, added);
      return;
    }
    sum.calls += added.calls;
    sum.credits += added.credits;
  }

  private addDay(id: string, added: DaySum): void {
    const sum = this.days.get(id);
    if (sum === undefined) {
      this.days.set(id, added);
      return;
    }
    sum.calls += added.calls;
    sum.callCost += added.callCost;
    sum.dataCost += added.dataCost;
  }
}
