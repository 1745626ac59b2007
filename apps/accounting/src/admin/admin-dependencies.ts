import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { InvoiceReads } from '#projections/views/invoice-reads.js';
import type { Profiles } from '#projections/texts/profiles.js';
import type { Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import type { RateLimits } from '#web/rates/rate-limits.js';
import type { Readiness } from '#web/readiness.js';
import type { Telemetry } from '#web/telemetry.js';
import type { Decider } from '#deciding/submission.js';
import type { Deliveries } from '#deliveries/deliveries.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import type { RunningReceipts } from '#receipts/start-receipts.js';
import type { RateCards } from '#deciding/rate-cards/rate-cards.js';
import type { SignInRecords } from '#rest/sign-in/sign-in-records.js';
import type { LogTools } from '#rest/system/log-tools.js';
import type { Projections, PublishedReleases } from '#rest/system/ports.js';

/** Dependencies of the admin REST. */
export interface AdminDependencies {
  readonly configuration: Pick<
    Configuration,
    'accountingPort' | 'adminUrl' | 'baseUrl' | 'host' | 'oidc' | 'portalUrl' | 'trustProxy'
  > & {
    readonly adminToken: string;
  };
  readonly accounting: Decider;
  readonly reads: AccountReads;
  readonly invoices: InvoiceReads;
  readonly invoicing: Invoicing;
  readonly receipts: Pick<RunningReceipts, 'keys' | 'receipts'>;
  readonly profiles: Profiles;
  /** From `openDatabase`. */
  readonly pool: pg.Pool;
  readonly system: SystemStream;
  readonly loader: AccountLoader;
  readonly rateCards: RateCards;
  readonly deliveries: Deliveries;
  readonly calendar: Calendar;
  readonly clock: Clock;
  /** Unless given, releases are read from the log in `pool`. */
  readonly releases?: PublishedReleases;
  readonly projections: Projections;
  readonly logTools: LogTools;
  readonly rates: RateLimits;
  readonly signInRecords: SignInRecords;
  readonly readiness: Readiness;
  readonly telemetry?: Telemetry;
  readonly log: Log;
  /** Folder of the built front end, for the console; nothing is served where it is missing. */
  readonly webFolder?: string;
}
