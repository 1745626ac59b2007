import type { Charging, QuotedCall, QuoteOutcome } from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import type { Window } from '#calendar/window.js';
import { windowOfKey } from '#rating/key-parts.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { Places } from '#web/places.js';
import { type Problem, ProblemException } from '#web/problem.js';
import { accountingUnavailable, refusalProblem } from '#web/refusal-problem.js';
import { hostOf, requestTarget, withoutBasePath } from '#web/request-target.js';
import { FairQueue } from '#web/fair-queue.js';
import {
  chargedPart,
  type LocatedKey,
  type Locator,
  NO_PINS,
  type Pins,
  type Position,
} from '../metered-paths/locate.js';
import { type MeteredPath, readMeteredPath } from '../metered-paths/metered-path.js';
import type { Rows, RowCounts } from './row-counts.js';

/** Answers that are looked for at the same time. */
const CONCURRENT = 8;
const ATTEMPTS_MAX = 5;
/** A quote of more URLs waits until no other long one is made. */
const SHORT_MAX = 20;

/** Who asks for prices, and the time that the account lives in. */
export interface QuoteCaller {
  readonly accountId: string;
  /** Ordinal of the API key whose budgets hold; null: the account's alone. */
  readonly apiKey: number | null;
  /** Whether it is a test account. */
  readonly test: boolean;
  /** Ms since 1970 on the account's clock. */
  readonly now: number;
}

export interface PricedUrl {
  readonly url: string;
  readonly located: LocatedKey;
  readonly quote: QuotedCall;
}

export interface RefusedUrl {
  readonly url: string;
  readonly problem: Problem;
}

export interface PricedUrls {
  readonly urls: readonly (PricedUrl | RefusedUrl)[];
  /** Credits that the account lacks for all of them. */
  readonly shortfall: number;
}

interface FoundPrice {
  readonly url: string;
  readonly path: MeteredPath;
  readonly located: LocatedKey;
  readonly answer: Rows;
}

/** How addresses of this service begin. */
export interface OwnAddresses {
  /** Hosts, and the path below which each has this service, without a slash at its end. */
  readonly hosts: ReadonlyMap<string, string>;
  /** The path of its public address. */
  readonly basePath: string;
}

/** Prices many calls as if they were made in their order. */
export class PriceList {
  readonly #longs = new Places(1);

  constructor(
    private readonly charging: Pick<Charging, 'quote'>,
    private readonly locator: Locator,
    private readonly answers: RowCounts,
  ) {}

  /**
   * Prices paths, or addresses of this service; one that is wrong fails no other. Throws
   * as Charging does.
   */
  async price(
    caller: QuoteCaller,
    urls: readonly string[],
    own: OwnAddresses,
  ): Promise<PricedUrls> {
    const price = () => this.#price(caller, urls, own);
    return urls.length > SHORT_MAX ? this.#longs.run(price) : price();
  }

  async #price(
    caller: QuoteCaller,
    urls: readonly string[],
    own: OwnAddresses,
  ): Promise<PricedUrls> {
    let running = this.locator.calendar.windowAt(caller.now);
    let pins = NO_PINS;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const looked = await this.#lookUp(caller, urls, own, { running, pins });
      const found = looked.filter((one): one is FoundPrice => 'answer' in one);
      if (found.length === 0) return { urls: merge(looked, []), shortfall: 0 };
      const outcome = await this.#quote(caller, found);
      if (outcome.outcome === 'quoted') {
        return { urls: merge(looked, outcome.items), shortfall: outcome.shortfall ?? 0 };
      }
      const next = await this.#moved(caller, outcome.refusal, found, running, pins);
      if (next === null) throw new ProblemException(refusalProblem(outcome.refusal));
      ({ running, pins } = next);
    }
    throw new ProblemException(accountingUnavailable('The week turned during the request.'));
  }

  #quote({ accountId, apiKey }: QuoteCaller, found: readonly FoundPrice[]): Promise<QuoteOutcome> {
    const items = found.map(({ path, located, answer }) => chargedPart(path, located, answer));
    return this.charging.quote({ accountId, apiKey, items });
  }

  async #lookUp(
    caller: QuoteCaller,
    urls: readonly string[],
    own: OwnAddresses,
    position: Position,
  ): Promise<(FoundPrice | RefusedUrl)[]> {
    const results: (FoundPrice | RefusedUrl)[] = [];
    const turns = new FairQueue();
    for (let index = 0; index < urls.length; index += CONCURRENT) {
      const part = urls.slice(index, index + CONCURRENT);
      const looked = part.map((url) => this.#find(caller, url, own, position));
      results.push(...(await Promise.all(looked)));
      await turns.pass();
    }
    return results;
  }

  async #find(
    { test }: QuoteCaller,
    url: string,
    own: OwnAddresses,
    { running, pins }: Position,
  ): Promise<FoundPrice | RefusedUrl> {
    const target = targetOf(url, own);
    if (typeof target !== 'string') return { url, problem: target };
    const read = readMeteredPath(target, {});
    if (read.outcome === 'refused') return { url, problem: read.problem };
    const { path } = read;
    const place = this.locator.locate(path, running, test, pins);
    if (place.outcome === 'refused') return { url, problem: place.problem };
    const { located } = place;
    const found = await this.answers.find(located.key, located.release, path.resource);
    if (found.outcome === 'refused') return { url, problem: found.problem };
    return { url, path, located, answer: found.answer };
  }

  /** The position to look at again after a refusal; null when it is final. */
  async #moved(
    caller: QuoteCaller,
    refusal: Refusal,
    found: readonly FoundPrice[],
    running: Window,
    pins: Pins,
  ): Promise<Position | null> {
    if (refusal.reason === 'window-moved') {
      const window = this.locator.calendar.windowOf(refusal.window);
      return window && window.label !== running.label ? { running: window, pins } : null;
    }
    if (refusal.reason !== 'release-moved') return null;
    const known = new Map(pins);
    // A refusal does not say whose release it is, so one address of each week is asked alone.
    const byLabel = new Map(found.map((one) => [windowOfKey(one.located.key), one]));
    for (const [label, one] of byLabel) {
      const outcome = await this.#quote(caller, [one]);
      if (outcome.outcome === 'quoted' || outcome.refusal.reason !== 'release-moved') continue;
      const release = this.locator.release(outcome.refusal.release);
      if (release) known.set(label, release);
    }
    return known.size > pins.size ? { running, pins: known } : null;
  }
}

/** The same path at another service would be priced as if it were ours. */
function targetOf(url: string, { hosts, basePath }: OwnAddresses): string | Problem {
  const [host, target] = [hostOf(url), requestTarget(url)];
  if (host === null) return withoutBasePath(target, basePath);
  const below = hosts.get(host);
  if (below !== undefined && target.startsWith(`${below}/`)) return target.slice(below.length);
  const allowed = [...hosts].map(([own, path]) => own + path);
  const detail = `This is not this service: take a path, or ${allowed.join(' or ')}.`;
  return invalidParameters([{ in: 'path', name: 'host', value: host, allowed, detail }]);
}

function merge(
  looked: readonly (FoundPrice | RefusedUrl)[],
  quotes: readonly QuotedCall[],
): (PricedUrl | RefusedUrl)[] {
  const rest = [...quotes];
  return looked.map((one) => {
    if ('problem' in one) return one;
    const quote = rest.shift();
    if (quote === undefined) throw new Error('A quote has fewer items than were asked for.');
    return { url: one.url, located: one.located, quote };
  });
}
