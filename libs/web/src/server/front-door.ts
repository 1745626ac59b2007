import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Problem, ProblemException } from '../problem.js';
import type { AnonymousRates } from '../rates/anonymous-rates.js';
import { pathOf } from '../request-target.js';
import { endsConnection, reject } from './reject.js';

const UNCOUNTED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
/** Routes behind a door that knows its callers, and the raw ones. */
const GUARDED = /^\/(?:(?:v1|portal|admin)\/| raw$)/;
/** How much of an answer counts as a request. */
const COUNTED_BYTES = 32_768;
/** A path that the framework takes as it was sent. */
const PLAIN = /^[^%#]*$/;

export interface FrontDoorOptions {
  /** The public address of this server, without a slash at its end. */
  readonly baseUrl: string;
  /** Counts requests for what is open to everybody; areas with doors count by themselves. */
  readonly strangers?: AnonymousRates;
  /** Whether a request below a door comes without a key that is known. */
  readonly isStranger?: (request: IncomingMessage) => boolean;
  /** Looks up the key of such a request, and counts it; the problem if the key opens nothing. */
  readonly introduce?: (request: IncomingMessage) => Promise<Problem | null>;
}

/** Refuses strangers before any framework sees them: that has to be cheap. */
export class FrontDoor {
  /** `isRoute`: whether the framework would take a request to a route, by its path. */
  constructor(
    private readonly given: FrontDoorOptions,
    private readonly isRoute: (request: IncomingMessage, path: string) => boolean,
  ) {}

  /** Refuses a request, or lets it go on. */
  admit(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    goOn: () => void,
  ): void {
    const refused = this.#refusal(request, target);
    if (refused !== null) this.#refuse(request, response, refused);
    else if (!this.#isNew(request, target)) goOn();
    else void this.#introduce(request, response, goOn);
  }

  /** Refuses a request beyond the limit of its address. */
  #refusal(request: IncomingMessage, target: string): Problem | null {
    const { strangers, isStranger } = this.given;
    if (strangers === undefined || isStranger === undefined || UNCOUNTED.has(pathOf(target))) {
      return null;
    }
    const refused = strangers.refusal(request);
    return refused !== null && (!GUARDED.test(target) || isStranger(request)) ? refused : null;
  }

  /** Whether a request is read whole, for a route behind a door, and of somebody yet unknown. */
  #isNew(request: IncomingMessage, target: string): boolean {
    const { headers } = request;
    if (!GUARDED.test(target) || this.given.isStranger?.(request) !== true) return false;
    if (headers['content-length'] ?? headers['transfer-encoding'] ?? headers.expect) return false;
    const path = pathOf(target);
    return PLAIN.test(path) && this.isRoute(request, path);
  }

  async #introduce(
    request: IncomingMessage,
    response: ServerResponse,
    goOn: () => void,
  ): Promise<void> {
    // Where the look-up fails the route asks again, and answers for it.
    const refused = (await this.given.introduce?.(request).catch(() => null)) ?? null;
    if (response.destroyed) return;
    if (refused === null) goOn();
    else this.#refuse(request, response, refused);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refused: Problem): void {
    const { strangers, baseUrl } = this.given;
    const waitMs = endsConnection(refused) ? (strangers?.rejectAfterMs(request) ?? 0) : 0;
    reject(request, response, refused, baseUrl, waitMs);
  }
}

/** Counts a request for what is open to all. Throws a ProblemException (`rate-limited`). */
export function refuseTooMany(
  request: FastifyRequest,
  strangers: AnonymousRates | undefined,
): void {
  if (!isOpenToAll(request)) return;
  const refused = strangers?.count(request.raw) ?? null;
  if (refused !== null) throw new ProblemException(refused);
}

/**
 * Counts a long answer to all as one more request for each 32 KiB: to send it costs as much. The
 * address may owe them, so whoever asks for one is never refused in the middle.
 */
export function countLength(
  request: FastifyRequest,
  payload: unknown,
  strangers: AnonymousRates | undefined,
): void {
  if (strangers === undefined || !Buffer.isBuffer(payload) || !isOpenToAll(request)) return;
  const requests = Math.floor(payload.length / COUNTED_BYTES);
  if (requests > 0) strangers.owe(request.raw, requests);
}

/** Health and metrics are for machines that ask again and again; doors count for themselves. */
function isOpenToAll({ originalUrl, is404, routeOptions }: FastifyRequest): boolean {
  if (UNCOUNTED.has(pathOf(originalUrl))) return false;
  return is404 || !GUARDED.test(routeOptions.url ?? '');
}
