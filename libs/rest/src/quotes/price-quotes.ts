import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatInstant } from '#calendar/instant.js';
import { basePathOf } from '#web/configuration-urls.js';
import { type Problem, problemBody } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { hostOf } from '#web/request-target.js';
import { sendLongTable } from '#web/table-answer.js';
import { FairQueue } from '#web/fair-queue.js';
import type { Sending } from '../operation/answer.js';
import type { PricedUrl, PriceList, QuoteCaller } from './price-list.js';
import type { QuotedUrl, QuoteRequest } from './quote.schemas.js';
import { QUOTE_COLUMNS, type QuoteItem } from './quote-columns.js';
import { Quotes } from './quotes.js';

/** Quotes from the price list of this process. Each interface knows its callers in its own way. */
export abstract class PriceQuotes extends Quotes {
  constructor(
    private readonly prices: PriceList,
    protected readonly baseUrl: string,
  ) {
    super();
  }

  protected abstract callerOf(request: FastifyRequest): Promise<QuoteCaller> | QuoteCaller;

  /** Where the API is reached, beside its public address. */
  protected abstract ownUrl(request: FastifyRequest): string;

  override price({ urls }: QuoteRequest): Sending {
    return (request, reply) => this.send(urls, request, reply);
  }

  private async send(urls: readonly string[], request: FastifyRequest, reply: FastifyReply) {
    const basePath = basePathOf(this.baseUrl);
    const hosts = new Map([[hostOf(this.baseUrl) ?? '', basePath]]);
    const used = this.ownUrl(request);
    const usedHost = hostOf(used);
    if (usedHost !== null && !hosts.has(usedHost)) {
      // A client's Host may be anything.
      hosts.set(usedHost, URL.canParse(used) ? basePathOf(used) : '');
    }
    const caller = await this.callerOf(request);
    const own = { hosts, basePath };
    const { urls: priced, shortfall } = await this.prices.price(caller, urls, own);
    const problemOf = (found: Problem): Readonly<Record<string, unknown>> =>
      JSON.parse(problemBody(found, this.baseUrl, request.id)) as Record<string, unknown>;
    const items: QuoteItem[] = [];
    const turns = new FairQueue();
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
