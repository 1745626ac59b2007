import type { Charging } from '#account/charging.js';
import type { KeyDirectory } from '#account/key-directory.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import type { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import type { Clock } from '#calendar/clock.js';
import type { LaneWatch } from '#event-log/lane-watch.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { KeyedReads } from '#projections/views/keyed-account.js';
import type { InvoiceReads } from '#projections/views/invoice-reads.js';
import type { StatementReads } from '#projections/views/statement-reads.js';
import type { Releases } from '#popularity/releases.js';
import type { RunningReceipts } from '#receipts/start-receipts.js';
import type { CatalogReads } from '#rest/catalog/catalog.js';
import type { FocusExport } from '#rest/exports/focus-export.js';
import type { Reconciliations } from '#rest/reconciliations/reconciliations.js';
import type { Refusals } from '#rest/refusals/refusals.js';
import type { RefusedCalls } from '#rest/refusals/refused-calls.js';
import type { Log } from '#web/log.js';
import type { CallerRates, RateLimits } from '#web/rates/rate-limits.js';
import type { Readiness } from '#web/readiness.js';
import type { Telemetry } from '#web/telemetry.js';

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

/** The ports that the public API stands on. */
export interface ApiDependencies {
  readonly configuration: ApiConfiguration;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly charging: Charging;
  /** Where calls outlive a kill until they are answered; without it they do not. */
  readonly unanswered?: UnansweredCalls | undefined;
  /** Answers what takes an accounting process. */
  readonly forwarding: Forwarding;
  readonly keys: KeyDirectory;
  readonly releases: Releases;
  readonly reads: AccountReads & KeyedReads;
  readonly invoices: InvoiceReads;
  readonly statements: StatementReads;
  readonly focus: FocusExport;
  /** Signs receipts of calls. */
  readonly receipts: Pick<RunningReceipts, 'receipts' | 'signer'>;
  readonly catalog: CatalogReads;
  readonly reconciliations: Reconciliations;
  readonly refusals: Refusals;
  /** Counts calls that are refused; without it nobody does. */
  readonly refusedCalls?: Pick<RefusedCalls, 'count'> | undefined;
  readonly rates: RateLimits;
  /** Counts callers with a valid key, over all processes that share the port; else `rates` does. */
  readonly callerRates?: CallerRates;
  readonly readiness: Readiness;
  readonly telemetry?: Telemetry;
  readonly log: Log;
  /** Notifies caches of the log that it went back. */
  readonly watch?: Pick<LaneWatch, 'register'>;
}
