import { type CallMade, windowOfCall } from '#account/calls.js';
import type { Calendar } from '#calendar/calendar.js';
import { memberInKey, nameOfKey } from '#rating/key-parts.js';
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

/** A key, with the sum of a day that its last call was added to. */
interface AddedKey extends KeySum {
  newest: DaySum | undefined;
}

/** Sums of calls of an account, by what makes calls alike. */
export class UsageSums {
  private readonly byKey = new Map<string, AddedKey>();
  private readonly byDay = new Map<string, DaySum>();

  get keys(): Iterable<KeySum> {
    return this.byKey.values();
  }

  get days(): Iterable<DaySum> {
    return this.byDay.values();
  }

  get size(): number {
    return this.byKey.size + this.byDay.size;
  }

  /** Adds the next call. */
  add(added: StoredCall, calendar: Calendar): void {
    const { at, call } = added;
    const [callCost, dataCost] = call.cost;
    const key = this.keyOf(added);
    key.calls += 1;
    key.credits += callCost + dataCost;
    const { label } = calendar.dayAt(at);
    // Most calls are like the one before of their key: then no text is made to find their sum.
    if (key.newest === undefined || !isAlike(key.newest, label, call)) {
      key.newest = this.dayOf(key, label, call);
    }
    const day = key.newest;
    day.calls += 1;
    day.callCost += callCost;
    day.dataCost += dataCost;
  }

  private keyOf({ accountId, at, call }: StoredCall): AddedKey {
    const { key } = call;
    const id = call.window === undefined ? key : `${call.window} ${key}`;
    const known = this.byKey.get(id);
    if (known !== undefined) return known;
    const window = windowOfCall(call);
    const sum = { accountId, window, key, firstCallAt: at, calls: 0, credits: 0 };
    const added = { ...sum, newest: undefined };
    this.byKey.set(id, added);
    return added;
  }

  private dayOf({ accountId, window, key }: KeySum, day: string, call: CallMade): DaySum {
    const { kind, rule, api_key: apiKey } = call;
    const resource = nameOfKey(key);
    const region = memberInKey(key, resource, 'region');
    const id = `${day} ${window} ${resource} ${region} ${kind} ${apiKey} ${rule}`;
    const known = this.byDay.get(id);
    if (known !== undefined) return known;
    const alike = { accountId, day, window, resource, region, rule, kind, apiKey };
    const added = { ...alike, calls: 0, callCost: 0, dataCost: 0 };
    this.byDay.set(id, added);
    return added;
  }
}

function isAlike({ day, kind, rule, apiKey }: DaySum, label: string, call: CallMade): boolean {
  return day === label && kind === call.kind && apiKey === call.api_key && rule === call.rule;
}
