import { checkNames } from './checked-settings.js';
import type { Connection, RequestOptions } from './connection.js';
import { newIdempotencyKey } from './idempotency-key.js';

/** Options of one call of data. */
export interface PullOptions extends RequestOptions {
  /** A ceiling: a call that costs more is refused with `price-above-maximum`, free of charge. */
  readonly maxCredits?: number;
  /** Recorded with the call, for sums of usage: up to 5. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether the answer is to have a signed receipt: its header `Receipt`. */
  readonly receipt?: boolean;
  /** A permanent name of the call: nothing is charged twice under it. A new one by default. */
  readonly idempotencyKey?: string;
}

const OPTIONS = ['maxCredits', 'tags', 'receipt', 'idempotencyKey', 'signal', 'timeoutMs'];

/** The kind of an answer with data: the part of its key behind the level. */
type Resource = 'trends' | 'brands' | 'related-trends' | 'timeseries';

/**
 * Reads data, which is charged. All attempts carry one idempotency key, so the service repeats a
 * lost answer without a second charge.
 */
export async function pull(
  connection: Connection,
  path: string,
  given: PullOptions = {},
): Promise<unknown> {
  // A misspelled ceiling would be none.
  checkNames(given, OPTIONS, 'pull');
  const {
    maxCredits,
    tags,
    receipt = false,
    idempotencyKey = newIdempotencyKey(),
    ...options
  } = given;
  const pairs = Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`);
  const answer = await connection.json<{ readonly key?: string }>({
    ...options,
    path,
    idempotencyKey,
    headers: {
      ...(maxCredits !== undefined && { 'Credits-Max': String(maxCredits) }),
      ...(pairs.length > 0 && { 'Credits-Tag': pairs.join(', ') }),
      ...(receipt && { Prefer: 'receipt' }),
    },
  });
  const resource = answer.key?.split('/')[4] as Resource;
  return Object.assign(answer, { resource });
}
