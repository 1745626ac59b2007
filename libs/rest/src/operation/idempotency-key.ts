import type { ParameterFault } from '#web/parameter-fault.js';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads `Idempotency-Key`; null when there is none. What is wrong is added to `faults`: one that is
 * sent twice arrives joined by a comma and a space, and no key holds a space.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  faults: ParameterFault[],
): string | null {
  if (header === undefined) return null;
  const value = Array.isArray(header) ? header.join(', ') : header;
  if (IDEMPOTENCY_KEY.test(value)) return value;
  const detail = 'This must be 1 to 255 visible ASCII characters, sent once.';
  faults.push({ in: 'header', name: 'Idempotency-Key', value, detail });
  return null;
}
