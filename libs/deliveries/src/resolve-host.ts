import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { isLocalName } from './webhook-url.js';

/** Every address of a host. Throws when it has none, or when nobody answers before the signal. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_MS = 2_500;
const QUERIES = 2;

/**
 * Asks the DNS, which can be cut short: the system's own way would hold one of the few threads that
 * the whole process has, for as long as a stranger's name server pleases.
 */
export const resolvePublicly: ResolveHost = async (host, signal) => {
  if (isIP(host) !== 0) return [host];
  if (isLocalName(host)) return ['127.0.0.1', '::1'];
  const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: QUERIES });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    signal.throwIfAborted();
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (found.length === 0 && refused !== undefined) throw refused.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/**
 * Asks the system, which knows the names of its own network (a hosts file, search domains): for
 * installations that deliver there.
 */
export const resolveLocally: ResolveHost = async (host, signal) => {
  if (isIP(host) !== 0) return [host];
  signal.throwIfAborted();
  const found = await dns.lookup(host, { all: true });
  return found.map(({ address }) => address);
};
