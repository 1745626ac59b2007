import type { FastifyReply } from 'fastify';
import { ProblemException } from '#web/problem.js';
import { type RateLimits, SESSION_RATE } from '#web/rates/rate-limits.js';
import { secretHash } from '#rest/sign-in/secret-token.js';

const KNOWN_MAX = 10_000;

/** How many requests a session may make, counted by its cookie before the session is looked up. */
export class SessionRates {
  private readonly known = new Set<string>();

  constructor(private readonly rates: RateLimits) {}

  /** Whether a cookie was that of a session when it was counted last. */
  isKnown(cookie: string): boolean {
    return this.known.has(idOf(cookie));
  }

  forget(cookie: string): void {
    this.known.delete(idOf(cookie));
  }

  /** Throws a ProblemException (`rate-limited`). `requests`: how many it counts as. */
  count(cookie: string, reply: FastifyReply, requests = 1): void {
    const id = idOf(cookie);
    this.known.delete(id);
    this.known.add(id);
    const [oldest] = this.known;
    if (this.known.size > KNOWN_MAX && oldest !== undefined) this.known.delete(oldest);
    const counted = this.rates.take([{ name: 'session', id, policy: SESSION_RATE }], requests);
    void reply.header('ratelimit-policy', counted.policy).header('ratelimit', counted.limit);
    if (counted.refused !== null) throw new ProblemException(counted.refused);
  }
}

function idOf(cookie: string): string {
  return secretHash(cookie).toString('base64');
}
