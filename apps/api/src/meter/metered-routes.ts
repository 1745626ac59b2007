import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChargedCall } from '#account/charging.js';
import type { CallKind } from '#account/terms.js';
import type { Calendar } from '#calendar/calendar.js';
import { parseResourcePath } from '#rating/resource-path.js';
import { problemAnswer } from '#web/answer-headers.js';
import { matchesEntityTag } from '#web/conditional.js';
import { PUBLIC } from '#rest/operation/interfaces.js';
import type { Receipts } from '#receipts/receipts.js';
import type { RefusedCalls } from '#rest/refusals/refused-calls.js';
import { resourcesOf } from '#rest/resources.js';
import { errorProblem } from '#web/error-problem.js';
import type { RawRoutes } from '#web/server/http-server.js';
import type { Log } from '#web/log.js';
import { logFault } from '#web/server/logged-fault.js';
import { preferredType } from '#web/negotiation.js';
import { type Problem, problem, statusOf } from '#web/problem.js';
import { priceAboveMaximum, refusalProblem } from '#web/refusal-problem.js';
import { endsConnection, reject } from '#web/server/reject.js';
import type { Caller, Authenticator } from '../callers/authenticator.js';
import { type Codings, CodingChoice } from './codings.js';
import { Exchange } from './exchange.js';
import type { FinishedAnswer } from './finished-answer.js';
import { type Meter, type QuotedAnswer, type SoldCall, wantsReceipt } from './meter.js';
import { type MeteredPath, readMeteredPath } from '#rest/metered-paths/metered-path.js';
import {
  bodyLines,
  quoteCommonLines,
  quoteLines,
  rateLines,
  receiptLines,
  replayedLines,
  soldLines,
} from './sold-headers.js';

const METERED_PREFIX = '/v1/';
/** The free operations below the same prefix, by the first part of their paths. */
const FREE = new RegExp(String.raw`^/v1/(?:${[...freeParts()].join('|')})(?:[/?]|$)`);

export interface MeteredDependencies {
  readonly authenticator: Authenticator;
  readonly meter: Meter;
  readonly calendar: Calendar;
  readonly baseUrl: string;
  readonly log: Log;
  readonly receipts: Pick<Receipts, 'of'>;
  readonly refusedCalls?: Pick<RefusedCalls, 'count'> | undefined;
}

/** Refusals that their account is shown. */
const SHOWN: ReadonlySet<number> = new Set([402, 403, 429]);

function freeParts(): ReadonlySet<string> {
  const paths = resourcesOf(PUBLIC).flatMap(({ operations }) =>
    operations.flatMap((operation) => PUBLIC.pathOf(operation) ?? []),
  );
  return new Set(paths.map((path) => path.split('/')[1] ?? ''));
}

interface WantedAnswer {
  readonly path: MeteredPath;
  readonly codings: Codings;
}

/**
 * The metered resources (specification 4). They are served without a framework in between: each is
 * one function from a request to bytes that were mostly made before.
 */
export class MeteredRoutes implements RawRoutes {
  readonly #codings = new CodingChoice();

  constructor(private readonly given: MeteredDependencies) {}

  takes(method: string, target: string): boolean {
    if (!target.startsWith(METERED_PREFIX) || FREE.test(target)) return false;
    return method === 'GET' || method === 'HEAD';
  }

  methodsOf(path: string): readonly string[] {
    const metered = path.startsWith(METERED_PREFIX) && !FREE.test(path);
    if (!metered || parseResourcePath(path).outcome === 'not-found') return [];
    return ['GET', 'HEAD', 'OPTIONS'];
  }

  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    always: readonly string[],
  ): void {
    const exchange = new Exchange(request, response, always);
    this.#serve(exchange, target).catch((error: unknown) => {
      const found = errorProblem(error, target);
      if (statusOf(found) >= 500) {
        logFault(this.given.log, error, found, { requestId: exchange.requestId });
      }
      this.#refuse(exchange, found, '');
    });
  }

  async #serve(exchange: Exchange, target: string): Promise<void> {
    const wanted = this.#read(exchange, target);
    const isRefused = 'slug' in wanted;
    // What is refused here is not decided: nobody looks at the key after this.
    const admission = await this.given.authenticator.admit(exchange.request, isRefused);
    if (admission.outcome === 'refused' && endsConnection(admission.problem)) {
      const { request, response } = exchange;
      const waitMs = this.given.authenticator.rejectAfterMs(request);
      exchange.setAlways();
      reject(request, response, admission.problem, this.given.baseUrl, waitMs);
      return;
    }
    if (admission.outcome === 'refused') {
      const { problem: found, rate, caller } = admission;
      if (caller) this.#count(exchange, caller, isRefused ? '' : wanted.path.asked, found);
      this.#refuse(exchange, found, rate ? rateLines(rate) : '');
      return;
    }
    const { caller } = admission;
    if (isRefused) this.#refuse(exchange, wanted, rateLines(caller.rate));
    else if (exchange.request.method === 'HEAD') await this.#quote(exchange, caller, wanted);
    else await this.#sell(exchange, caller, wanted);
  }

  #read({ request }: Exchange, target: string): WantedAnswer | Problem {
    const read = readMeteredPath(target, request.headers);
    if (read.outcome === 'refused') return read.problem;
    if (preferredType(request.headers.accept, ['application/json']) === undefined) {
      return problem('not-acceptable', 'The answer is available as application/json.', {
        available: ['application/json'],
      });
    }
    const codings = this.#codings.of(request.headers['accept-encoding']?.toString());
    if (codings === null) {
      return problem(
        'not-acceptable',
        'The answer is available uncompressed (identity), with br or with gzip.',
        {
          available: ['identity', 'br', 'gzip'],
        },
      );
    }
    return { path: read.path, codings };
  }

  async #sell(exchange: Exchange, caller: Caller, wanted: WantedAnswer): Promise<void> {
    const { meter, calendar } = this.given;
    const sold = await meter.sell(caller, wanted.path, exchange);
    if (sold === undefined) return;
    if (sold.outcome === 'refused') {
      this.#count(exchange, caller, wanted.path.asked, sold.problem);
      const refused = await this.#whole(exchange, sold.problem);
      this.#refuse(exchange, refused, rateLines(caller.rate));
      return;
    }
    let lines = soldLines(exchange.requestId, caller, sold, calendar);
    const { charged, answer } = sold;
    if (wantsReceipt(caller, wanted.path)) {
      const receipt = await this.#receipt(exchange, caller, charged);
      const isPreferred = wanted.path.options.receipt;
      if (receipt !== undefined) lines += receiptLines(receipt, isPreferred);
    }
    const confirmed = isConfirmed(exchange.request, charged.call.kind, answer);
    if (confirmed) exchange.answer(304, lines);
    else await this.#sendBody(exchange, sold, wanted.codings, lines);
  }

  /** A decision knows that a key is over; when it ended is looked up. */
  async #whole({ request }: Exchange, refused: Problem): Promise<Problem> {
    if (refused.slug !== 'invalid-key') return refused;
    const found = await this.given.authenticator.confirm(request, undefined).catch(() => refused);
    return 'slug' in found ? found : refused;
  }

  /** The call is charged: it is answered also where nobody can sign. */
  async #receipt(
    { requestId }: Exchange,
    { record }: Caller,
    charged: ChargedCall,
  ): Promise<string | undefined> {
    try {
      return await this.given.receipts.of(record.accountId, charged);
    } catch (error) {
      this.given.log.warn({ err: error, requestId }, 'A call was answered without its receipt.');
      return undefined;
    }
  }

  async #sendBody(
    exchange: Exchange,
    { answer, charged }: SoldCall,
    codings: Codings,
    lines: string,
  ): Promise<void> {
    const { cost } = charged.call;
    let coding = answer.small ? codings.small : codings.large;
    let body = answer.body(cost, coding);
    if ('then' in body) {
      try {
        body = await body;
      } catch (error) {
        // The call is charged, so it is answered, come what may: as it is, if need be.
        const { requestId } = exchange;
        this.given.log.error({ err: error, requestId }, 'A body could not be compressed.');
        coding = 'identity';
        body = answer.plain(cost);
      }
    }
    exchange.answer(200, lines + bodyLines(body.length, coding), body);
  }

  async #quote(exchange: Exchange, caller: Caller, { path }: WantedAnswer): Promise<void> {
    const { meter, calendar } = this.given;
    const quoted = await meter.quote(caller, path);
    if (quoted.outcome === 'refused') {
      const refused = await this.#whole(exchange, quoted.problem);
      this.#refuse(exchange, refused, rateLines(caller.rate));
      return;
    }
    const isReplayed = quoted.outcome === 'replayed';
    const estimate = isReplayed ? replayedLines(quoted, calendar) : quoteLines(quoted);
    const refused = isReplayed ? null : quoteRefusal(quoted, path.options.maxCredits);
    if (refused) {
      this.#refuse(exchange, refused, estimate + rateLines(caller.rate));
      return;
    }
    const { kind } = isReplayed ? quoted.charged.call : quoted.quote;
    const confirmed = isConfirmed(exchange.request, kind, quoted.answer);
    const common = quoteCommonLines(exchange.requestId, caller, !confirmed);
    exchange.answer(confirmed ? 304 : 200, common + estimate + quoted.answer.lines);
  }

  #count({ request }: Exchange, { record, now }: Caller, path: string, found: Problem): void {
    if (request.method === 'HEAD' || !SHOWN.has(statusOf(found))) return;
    const { accountId, keyId } = record;
    const required = found.members['required_credits'];
    const requiredCredits = typeof required === 'number' ? required : null;
    const call = { accountId, keyId, path, code: found.slug, requiredCredits, at: now };
    this.given.refusedCalls?.count(call);
  }

  #refuse(exchange: Exchange, found: Problem, more: string): void {
    const { request, response, requestId } = exchange;
    if (response.destroyed) return;
    if (response.headersSent) {
      // An answer that broke off in the middle must not look like a whole one.
      response.destroy();
      return;
    }
    for (const name of response.getHeaderNames()) {
      if (name !== 'connection') response.removeHeader(name);
    }
    const { status, headers, body } = problemAnswer(found, this.given.baseUrl, requestId);
    const own = Object.entries(headers).map(([name, value]) => `${asSent(name)}: ${value}\r\n`);
    const lines = own.join('') + more;
    exchange.answer(status, lines, request.method === 'HEAD' ? undefined : body);
  }
}

/** A header's name as Node and the metered answers write them. */
function asSent(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** A validator counts only for what this account had paid for before, in a replay too. */
function isConfirmed(
  { headers }: IncomingMessage,
  kind: CallKind,
  { etag }: FinishedAnswer,
): boolean {
  return kind === 'repeat' && matchesEntityTag(headers['if-none-match'], etag);
}

/**
 * The problem that GET would be refused with. The client's own ceiling is looked at before the
 * account's.
 */
function quoteRefusal({ quote }: QuotedAnswer, maxCredits: number | null): Problem | null {
  const requiredCredits = quote.cost[0] + quote.cost[1];
  if (maxCredits !== null && requiredCredits > maxCredits) {
    return priceAboveMaximum({ requiredCredits, maxCredits, kind: quote.kind });
  }
  return quote.refusal && refusalProblem(quote.refusal);
}
