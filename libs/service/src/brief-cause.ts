import { codeOf, faultOf, type DatabaseFault } from '#database/errors.js';
import { ServerRefusedError } from '#database/server-refused-error.js';

const BRIEFS: Partial<Record<DatabaseFault, string>> = {
  'connection-lost': 'no connection, or no answer',
  'node-lost': 'a server of the cluster is away',
  contention: 'something else is in the way',
  'resource-exhausted': 'the database ran out of room or time',
  'read-only': 'the database takes no writes',
};
const OTHER = 'a fault that only the log names';

/**
 * Why something cannot serve, for everybody to read: by the kind and code of an error alone. The
 * words of a driver may hold the address of the database and its user; those of a projection, texts
 * of a customer.
 */
export function briefCause(error: unknown): string {
  for (let cause = error; isObject(cause); cause = cause.cause) {
    if (cause instanceof ServerRefusedError) return cause.brief;
    const fault = faultOf(cause);
    const code = codeOf(cause);
    if (fault === 'other' && code === undefined) continue;
    const brief = BRIEFS[fault] ?? OTHER;
    return code === undefined ? brief : `${brief} (${code})`;
  }
  return OTHER;
}

/**
 * Recognized by shape: errors of the runtime may belong to another realm, where no class matches.
 */
function isObject(value: unknown): value is { readonly cause?: unknown } {
  return typeof value === 'object' && value !== null;
}
