import { Body, Controller, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatInstant } from '#calendar/instant.js';
import { BodyPipe } from '#web/body.js';
import type { Column } from '#web/csv.js';
import { problemBody } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { hostOf } from '#web/request-target.js';
import { sendLongTable } from '#web/table-answer.js';
import { Turns } from '#web/turns.js';
import { ApiKeyGuard, Counted, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';
import { PriceList, type PricedUrl, type RefusedUrl } from './price-list.js';

/** Public address of the API, to be injected. */
export const BASE_URL = Symbol('base-url');

const URLS_MAX = 1000;
/** URLs of a quote that count as one request. */
const URLS_COUNTED = 20;

export const quoteRequest = z.strictObject({
  urls: z.array(z.string()).min(1).max(URLS_MAX),
});

type QuoteItem = ReturnType<typeof pricedItem> | { readonly url: string; readonly problem: object };

const COLUMNS: readonly Column<QuoteItem>[] = [
  { name: 'url', cell: (item) => item.url },
  ...(['key', 'kind', 'call_cost', 'data_cost', 'credits', 'rule', 'window'] as const).map(
    (name) => ({ name, cell: (item: QuoteItem) => ('key' in item ? item[name] : null) }),
  ),
  { name: 'window_ends_at', cell: (item) => ('key' in item ? item.window_ends_at : null) },
  {
    name: 'next_window_credits',
    cell: (item) => ('key' in item ? item.next_window_credits : null),
  },
  {
    name: 'problem',
    cell: (item) => (item.problem && 'code' in item.problem ? String(item.problem.code) : null),
  },
];

/** Prices for calls that are not made. */
@Controller('v1/quotes')
@UseGuards(ApiKeyGuard)
export class QuotesController {
  constructor(
    @Inject(PriceList) private readonly prices: PriceList,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Post()
  @HttpCode(200)
  @Scoped('data')
  @Counted(requestsOf)
  async quote(
    @CurrentCaller() caller: Caller,
    @Body(new BodyPipe(quoteRequest)) { urls }: z.output<typeof quoteRequest>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    parseQuery(z.object({}), request.url);
    // By the address that is made public, or by that which this client has used.
    const hosts = new Set(
      [this.baseUrl, `http://${request.host}`].flatMap((url) => hostOf(url) ?? []),
    );
    const priced = await this.prices.price(caller, urls, hosts);
    const problemOf = (found: RefusedUrl['problem']): object =>
      JSON.parse(problemBody(found, this.baseUrl, request.id)) as object;
    const itemOf = (one: PricedUrl | RefusedUrl): QuoteItem => {
      if ('problem' in one) return { url: one.url, problem: problemOf(one.problem) };
      const { refusal } = one.quote;
      return pricedItem(one, refusal && problemOf(refusalProblem(refusal)));
    };
    const items: QuoteItem[] = [];
    const turns = new Turns();
    for (const one of priced) {
      items.push(itemOf(one));
      await turns.pass();
    }
    const credits = items.map((item) => ('credits' in item ? item.credits : 0));
    await sendLongTable(request, reply, items, COLUMNS, {
      total_credits: credits.reduce((sum, one) => sum + one, 0),
      affordable: priced.every((one) => 'problem' in one || one.quote.refusal === null),
    });
  }
}

/** How many requests a quote counts for: one for each 20 URLs. What is no quote counts as one. */
function requestsOf(body: unknown): number {
  const { urls } = Object(body) as { readonly urls?: unknown };
  return Array.isArray(urls) ? Math.max(1, Math.ceil(urls.length / URLS_COUNTED)) : 1;
}

function pricedItem({ url, located, quote }: PricedUrl, problem: object | null) {
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
