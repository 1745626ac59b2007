import { type Counts, dataCredits, priceOfUnits, ruleFor } from '#rating/rate.js';
import type { NamedResource } from '#rating/named-resource.js';
import type { DataCost, RateCard } from '#rating/rate-card.js';
import { asLatest } from '#rating/key-parts.js';
import { resourceOfKey } from '#rating/resource-key.js';

/** Calls of one account that cost the same, now and by any card. */
export interface CallGroup {
  readonly accountId: string;
  /**
   * Of a call that pays for its data, with the rows of its answer and its units, if it has any;
   * null for repeats, whose price needs none of them.
   */
  readonly first: {
    readonly key: string;
    readonly rows: number;
    readonly units?: Counts | undefined;
  } | null;
  /** Credits that each of them was charged. */
  readonly credits: number;
  readonly calls: number;
}

/** All in credits but the number of calls. */
export interface PreviewSum {
  readonly calls: number;
  readonly actual: number;
  readonly preview: number;
}

const NOTHING: PreviewSum = { calls: 0, actual: 0, preview: 0 };
const KEPT_RESOURCES_MAX = 50_000;
const UNPUBLISHED = { version: 0, effective_window: null } as const;

/** The charges of calls and their prices by another card, by account and in total. */
export class PreviewSums {
  private readonly sums = new Map<string, PreviewSum>();
  /** By the path in the running window: the same resource costs the same in every window. */
  private readonly costs = new Map<string, DataCost>();

  constructor(private readonly card: Pick<RateCard, 'call_cost' | 'rules'>) {}

  /** Throws PreviewTooLargeError. */
  add({ accountId, first, credits, calls }: CallGroup): void {
    const data = first === null ? 0 : this.dataOf(first);
    const before = this.sums.get(accountId) ?? NOTHING;
    const preview = before.preview + calls * (this.card.call_cost + data);
    if (preview > Number.MAX_SAFE_INTEGER) throw new PreviewTooLargeError();
    const actual = before.actual + calls * credits;
    this.sums.set(accountId, { calls: before.calls + calls, actual, preview });
  }

  byAccount(): ReadonlyMap<string, PreviewSum> {
    return this.sums;
  }

  private dataOf({ key, rows, units }: NonNullable<CallGroup['first']>): number {
    if (units === undefined) return dataCredits(this.costOf(key), rows);
    const price = priceOfUnits({ ...UNPUBLISHED, ...this.card }, resourceIn(key), units);
    if ('unpriced' in price) throw new UnpricedUnitsError(price.unpriced);
    return price.cost[1];
  }

  private costOf(key: string): DataCost {
    const name = asLatest(key);
    const known = this.costs.get(name);
    if (known !== undefined) return known;
    const { data_cost: cost } = ruleFor({ ...UNPUBLISHED, ...this.card }, resourceIn(key));
    if (this.costs.size >= KEPT_RESOURCES_MAX) this.costs.clear();
    this.costs.set(name, cost);
    return cost;
  }
}

function resourceIn(key: string): NamedResource {
  const resource = resourceOfKey(key);
  if (resource === undefined) throw new Error(`The log holds "${key}", which is no key.`);
  return resource;
}

/** The sum of sums. Throws PreviewTooLargeError. */
export function totalOf(sums: Iterable<PreviewSum>): PreviewSum {
  let total = NOTHING;
  for (const { calls, actual, preview } of sums) {
    total = {
      calls: total.calls + calls,
      actual: total.actual + actual,
      preview: total.preview + preview,
    };
    if (total.preview > Number.MAX_SAFE_INTEGER) throw new PreviewTooLargeError();
  }
  return total;
}

/** By the card the calls cost more credits than a whole number holds exactly. */
export class PreviewTooLargeError extends Error {
  override readonly name = 'PreviewTooLargeError';
}

/** Calls of the period have units that the card does not price. */
export class UnpricedUnitsError extends Error {
  override readonly name = 'UnpricedUnitsError';
}
