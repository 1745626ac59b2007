import type { Connection, RequestOptions } from './connection.js';
import { newIdempotencyKey } from './idempotency-key.js';

/** What a caller may ask for beside the data. */
export interface PullOptions extends RequestOptions {
  /** A ceiling: a call that costs more is refused with `price-above-maximum`, free of charge. */
  readonly maxCredits?: number;
  /** Kept with the call, for sums of usage: up to 5. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Names the call for ever: nothing is charged twice under it. A new one by default. */
  readonly idempotencyKey?: string;
}

/**
 * Reads data, which is charged. All attempts carry one idempotency key, so an answer that was lost on its way
 * is sent again without a second charge.
 */
export function pull<Answer>(
  connection: Connection,
  path: string,
  { maxCredits, tags, idempotencyKey = newIdempotencyKey(), ...options }: PullOptions = {},
): Promise<Answer> {
  const pairs = Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`);
  return connection.json<Answer>({
    ...options,
    path,
    idempotencyKey,
    headers: {
      ...(maxCredits !== undefined && { 'Credits-Max': String(maxCredits) }),
      ...(pairs.length > 0 && { 'Credits-Tag': pairs.join(', ') }),
    },
  });
}
