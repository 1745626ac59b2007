import type pg from 'pg';
import type { FastifyRequest } from 'fastify';
import type { Charging } from '#account/charging.js';
import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import type { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import { SYSTEM_LANE, type EventLog } from '#event-log/event-log.js';
import type { LaneWatch } from '#event-log/lane-watch.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { PostgresStatementReads } from '#projections/reads/postgres-statement-reads.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { InvoiceReads } from '#projections/views/invoice-reads.js';
import type { KeyedReads } from '#projections/views/keyed-account.js';
import type { RunningReceipts } from '#receipts/start-receipts.js';
import { AccountReader } from '#rest/accounts/account-reader.js';
import { CatalogReads } from '#rest/catalog/catalog.js';
import type { PortalReleases } from '#rest/catalog/ports.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { Invoices } from '#rest/invoices/invoices.js';
import { Locator } from '#rest/metered-paths/locate.js';
import { Outlooks } from '#rest/outlook/outlook.js';
import { PriceList } from '#rest/quotes/price-list.js';
import { CallReceipts } from '#rest/receipts/call-receipts.js';
import { Reconciliations } from '#rest/reconciliations/reconciliations.js';
import type { RefusedCalls } from '#rest/refusals/refused-calls.js';
import { Refusals } from '#rest/refusals/refusals.js';
import { SavingsReads } from '#rest/savings/savings.js';
import { Statements } from '#rest/statements/statements.js';
import { AccountUsage } from '#rest/usage/usage.js';
import type { Log } from '#web/log.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { CallerRates, RateLimits } from '#web/rates/rate-limits.js';
import type { Readiness } from '#web/readiness.js';
import type { Telemetry } from '#web/telemetry.js';
import { callerOf, confirmKey } from './callers/api-key.guard.js';
import { Authenticator } from './callers/authenticator.js';
import { AnswerCache } from './meter/answer-cache.js';
import { CallIds } from './meter/call-ids.js';
import { Meter } from './meter/meter.js';
import { MeteredRoutes } from './meter/metered-routes.js';
import { ApiQuotes } from './quotes/api-quotes.js';

/** Configuration of the public API. */
export interface ApiConfiguration {
  /** Public address of this API, without a slash at its end. */
  readonly baseUrl: string;
  /** Addresses of proxies whose word about the client counts. */
  readonly trustProxy?: readonly string[];
  /** Origins whose pages may call this API. */
  readonly corsOrigins?: readonly string[];
  /** Times for a request to arrive, in ms. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

/** A process as its public API uses it. */
export interface ApiRuntime {
  readonly configuration: ApiConfiguration;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly charging: Charging;
  /** Where calls outlive a kill until they are answered; without it they do not. */
  readonly unanswered?: UnansweredCalls | undefined;
  /** Answers what takes an accounting process. */
  readonly forwarding: Forwarding;
  readonly keys: KeyDirectory;
  readonly releases: PortalReleases;
  readonly pool: pg.Pool;
  readonly eventLog: EventLog;
  readonly system: SystemStream;
  readonly reads: AccountReads & KeyedReads;
  readonly invoices: InvoiceReads;
  /** Signs receipts of calls. */
  readonly receipts: Pick<RunningReceipts, 'receipts' | 'signer'>;
  /** Counts calls that are refused; without it nobody does. */
  readonly refusedCalls?: Pick<RefusedCalls, 'count'> | undefined;
  readonly rates: RateLimits;
  /** Counts callers with a valid key, over all processes that share the port; else `rates` does. */
  readonly callerRates?: CallerRates;
  readonly readiness: Readiness;
  readonly telemetry?: Telemetry;
  readonly logger: Log;
  /** Notifies caches of the log that it went back. */
  readonly watch?: Pick<LaneWatch, 'register'>;
}

/** The metered routes, and services that they have in common with the free resources. */
export function meteredServices(runtime: ApiRuntime) {
  const { calendar, charging, clock, configuration, keys, logger, rates, releases } = runtime;
  const { receipts, refusedCalls, unanswered, watch, callerRates = rates } = runtime;
  const { baseUrl, trustProxy = [] } = configuration;
  const strangers = new AnonymousRates(rates, trustProxy);
  const authenticator = new Authenticator({ keys, clock, rates: callerRates, strangers });
  const locator = new Locator(calendar, releases);
  const answers = new AnswerCache(releases);
  releases.onTakenBack(() => answers.clear());
  const ids = new CallIds(() => clock.now());
  watch?.register({
    ends: () => [],
    forget: (lane) => {
      authenticator.forget();
      if (lane === SYSTEM_LANE) answers.clear();
    },
  });
  return {
    strangers,
    authenticator,
    prices: new PriceList(charging, locator, answers),
    metered: new MeteredRoutes({
      authenticator,
      meter: new Meter({ charging, unanswered, locator, answers, clock, ids }),
      calendar,
      baseUrl,
      log: logger,
      receipts: receipts.receipts,
      refusedCalls,
    }),
  };
}

/** Services of the free resources: routes find that of an operation by its class. */
export function freeServices(
  runtime: ApiRuntime,
  { authenticator, prices }: Pick<ReturnType<typeof meteredServices>, 'authenticator' | 'prices'>,
) {
  const { calendar, clock, configuration, eventLog: log, invoices, pool, reads } = runtime;
  const { receipts, releases, system } = runtime;
  const keyOf = (request: FastifyRequest): KeyRecord => callerOf(request).record;
  const confirm = (request: FastifyRequest, found: KeyRecord | undefined): Promise<KeyRecord> =>
    confirmKey(authenticator, request, found);
  return {
    account: new AccountReader(reads, keyOf, confirm),
    catalog: new CatalogReads(pool, new AccountLoader(pool), releases, calendar, clock),
    focus: new FocusExport({ pool, log, system, reads, calendar, clock }),
    invoices: new Invoices(invoices),
    outlooks: new Outlooks(reads),
    quotes: new ApiQuotes(prices, configuration.baseUrl),
    receipts: new CallReceipts(receipts.receipts),
    reconciliations: new Reconciliations(reads, pool),
    refusals: new Refusals(pool, reads),
    savings: new SavingsReads(reads, calendar),
    statements: new Statements(new PostgresStatementReads(pool, calendar, clock)),
    usage: new AccountUsage(reads),
  };
}
