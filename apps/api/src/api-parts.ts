import { SYSTEM_LANE } from '#event-log/event-log.js';
import type { ApiDependencies } from './api-dependencies.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { Authenticator } from './callers/authenticator.js';
import { AnswerCache } from './meter/answer-cache.js';
import { CallIds } from './meter/call-ids.js';
import { Locator } from '#rest/metered-paths/locate.js';
import { Meter } from './meter/meter.js';
import { MeteredRoutes } from './meter/metered-routes.js';
import { PriceList } from '#rest/quotes/price-list.js';

/** The parts of the public API, wired once and shared by its metered and its free resources. */
export interface ApiParts {
  readonly strangers: AnonymousRates;
  readonly authenticator: Authenticator;
  readonly prices: PriceList;
  readonly routes: MeteredRoutes;
}

export function wireApi(given: ApiDependencies): ApiParts {
  const { calendar, clock, charging, unanswered, releases, configuration, rates, log, watch } =
    given;
  const strangers = new AnonymousRates(rates, configuration.trustProxy ?? []);
  const callerRates = given.callerRates ?? rates;
  const authenticator = new Authenticator({
    keys: given.keys,
    clock,
    rates: callerRates,
    strangers,
  });
  const locator = new Locator(calendar, releases);
  const answers = new AnswerCache(releases);
  const ids = new CallIds(() => clock.now());
  const meter = new Meter({ charging, unanswered, locator, answers, clock, ids });
  watch?.register({
    ends: () => [],
    forget: (lane) => {
      authenticator.forget();
      if (lane === SYSTEM_LANE) answers.clear();
    },
  });
  const { baseUrl } = configuration;
  const { refusedCalls } = given;
  const { receipts } = given.receipts;
  return {
    strangers,
    authenticator,
    prices: new PriceList(charging, locator, answers),
    routes: new MeteredRoutes({
      authenticator,
      meter,
      calendar,
      baseUrl,
      log,
      receipts,
      refusedCalls,
    }),
  };
}
