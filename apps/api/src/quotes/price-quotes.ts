import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatInstant } from '#calendar/instant.js';
import type { Sending } from '#rest/operation/answer.js';
import type { QuotedUrl, QuoteRequest } from '#rest/quotes/quote.schemas.js';
import { QUOTE_COLUMNS, type QuoteItem } from '#rest/quotes/quote-columns.js';
import { Quotes } from '#rest/quotes/quotes.js';
import { type Problem, problemBody } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { hostOf } from '#web/request-target.js';
import { sendLongTable } from '#web/table-answer.js';
import { Turns } from '#web/turns.js';
import { callerOf } from '../callers/api-key.guard.js';
import { PriceList, type PricedUrl } from './price-list.js';

/** Public address of the API, to be injected. */
export const BASE_URL = Symbol('base-url');

/** Quotes where the prices are. */
@Injectable()
export class PriceQuotes extends Quotes {
  constructor(
    @Inject(PriceList) private readonly prices: PriceList,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {
    super();
  }

  override price({ urls }: QuoteRequest): Sending {
    return (request, reply) => this.send(urls, request, reply);
  }

  private async send(urls: readonly string[], request: FastifyRequest, reply: FastifyReply) {
    // By the address that is made public, or by that which this client has used.
    const hosts = new Set(
      [this.baseUrl, `http://${request.host}`].flatMap((url) => hostOf(url) ?? []),
    );
    const { urls: priced, shortfall } = await this.prices.price(callerOf(request), urls, hosts);
    const problemOf = (found: Problem): Readonly<Record<string, unknown>> =>
      JSON.parse(problemBody(found, this.baseUrl, request.id)) as Record<string, unknown>;
    const items: QuoteItem[] = [];
    const turns = new Turns();
    for (const one of priced) {
      items.push(
        'problem' in one
          ? { url: one.url, problem: problemOf(one.problem) }
          : pricedItem(one, one.quote.refusal && problemOf(refusalProblem(one.quote.refusal))),
      );
      await turns.pass();
    }
    const credits = items.map((item) => ('credits' in item ? item.credits : 0));
    await sendLongTable(request, reply, items, QUOTE_COLUMNS, {
      total_credits: credits.reduce((sum, one) => sum + one, 0),
      shortfall_credits: shortfall,
      affordable: items.every(({ problem }) => problem === null),
    });
  }
}

function pricedItem({ url, located, quote }: PricedUrl, problem: QuotedUrl['problem']): QuotedUrl {
  const [callCost, dataCost] = quote.cost;
  return {
    url,
    key: located.key,
    kind: quote.kind,
    call_cost: callCost,
    data_cost: dataCost,
    credits: callCost + dataCost,
    rule: quote.rule,
    window: located.running.label,
    window_ends_at: formatInstant(located.running.endsAt),
    next_window_credits: quote.nextWindowCredits,
    problem,
  };
}
