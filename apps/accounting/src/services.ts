import type { Charging } from '#account/charging.js';
import type { Clock } from '#calendar/clock.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import { correctionUnder, type FindCorrection } from '#deciding/changes/correction-under.js';
import { lagAfterWait } from '#deciding/changes/projection-lag.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { BillingChanges } from '#invoicing/billing-changes.js';
import { CreditNotes } from '#invoicing/credit-notes.js';
import { DisputeResolutions } from '#invoicing/dispute-resolutions.js';
import { GiveBacks } from '#invoicing/give-backs.js';
import { InvoiceChanges } from '#invoicing/invoice-changes.js';
import { Payments } from '#invoicing/payments.js';
import { Reminders } from '#invoicing/reminders.js';
import { SellerChanges } from '#invoicing/seller-changes.js';
import { DisputeReads } from '#projections/reads/dispute-reads.js';
import { knownCards } from '#projections/reads/known-cards.js';
import { PostgresStatementReads } from '#projections/reads/postgres-statement-reads.js';
import { Profiles } from '#projections/texts/profiles.js';
import type { RunningReceipts } from '#receipts/start-receipts.js';
import { AccountReader } from '#rest/accounts/account-reader.js';
import { ApiKeys } from '#rest/api-keys/api-keys.js';
import { CatalogReads } from '#rest/catalog/catalog.js';
import { BudgetReads } from '#rest/budgets/budget-reads.js';
import { BudgetTrials } from '#rest/budgets/budget-trials.js';
import { Budgets } from '#rest/budgets/budgets.js';
import type { PortalReleases } from '#rest/catalog/ports.js';
import { Disputes } from '#rest/disputes/disputes.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { BillingDetails } from '#rest/invoices/billing-details.js';
import { Invoices } from '#rest/invoices/invoices.js';
import { MemberRows } from '#rest/members/member-rows.js';
import { Members } from '#rest/members/members.js';
import { Orders } from '#rest/orders/orders.js';
import { Outlooks } from '#rest/outlook/outlook.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { SessionRows } from '#rest/portal-sessions/session-rows.js';
import { CallReceipts } from '#rest/receipts/call-receipts.js';
import { Refusals } from '#rest/refusals/refusals.js';
import { SavingsReads } from '#rest/savings/savings.js';
import { SessionUses } from '#rest/sign-in/session-uses.js';
import { Statements } from '#rest/statements/statements.js';
import type { LogTools } from '#rest/system/log-tools.js';
import type { Projections } from '#rest/system/ports.js';
import { AccountUsage } from '#rest/usage/usage.js';
import { WebhookService } from '#rest/webhooks/webhook-service.js';
import type { Foundations } from '#service/foundations.js';
import type { Configuration } from '#web/configuration.js';
import type { RateLimits } from '#web/rates/rate-limits.js';
import type { Telemetry } from '#web/telemetry.js';
import type { AccountingService } from './accounting-service.js';

/** An accounting process as its services use it. */
export interface AccountingRuntime
  extends
    Pick<
      Foundations,
      'calendar' | 'eventLog' | 'invoices' | 'logger' | 'pool' | 'reads' | 'system'
    >,
    Pick<
      AccountingService,
      | 'accounting'
      | 'deliveries'
      | 'invoicing'
      | 'loader'
      | 'prices'
      | 'rateCards'
      | 'readiness'
      | 'signInRecords'
    > {
  readonly configuration: Pick<
    Configuration,
    | 'accountingPort'
    | 'adminUrl'
    | 'baseUrl'
    | 'host'
    | 'oidc'
    | 'portalPort'
    | 'portalUrl'
    | 'trustProxy'
  >;
  readonly adminToken: string;
  /** Where this process reaches the public API, without a slash at its end. */
  readonly apiUrl: string;
  readonly charging: Pick<Charging, 'quote'>;
  readonly clock: Clock;
  readonly logTools: LogTools;
  readonly projections: Projections;
  readonly rates: RateLimits;
  readonly receipts: Pick<RunningReceipts, 'keys' | 'receipts'>;
  readonly releases: PortalReleases;
  readonly telemetry?: Telemetry;
}

/**
 * Services that the admin REST, the portal and API keys have in common. Routes find the service of
 * an operation by its class, here or in what `adminServices` and `portalServices` add.
 */
export function accountingServices(runtime: AccountingRuntime) {
  const { accounting, calendar, clock, deliveries, eventLog: log, loader, pool, reads } = runtime;
  const { configuration, invoices, logger, projections, receipts, system } = runtime;
  const profiles = new Profiles(pool);
  const findCorrection: FindCorrection = (accountId, commandId) =>
    correctionUnder(pool, accountId, commandId);
  const accountChanges = new AccountChanges({
    accounting,
    profiles,
    clock,
    correctionUnder: findCorrection,
  });
  const cards = knownCards(system, clock);
  const memberRows = new MemberRows(pool);
  const uses = new SessionUses(pool, 'portal_session', (error) =>
    logger.warn({ err: error }, 'The use of a session was not written down.'),
  );
  const changes = accountChanges;
  const { portalUrl } = configuration;
  const budgetReads = new BudgetReads({ pool, log, loader, calendar, clock, cards });
  return {
    accountChanges,
    accountReader: new AccountReader(reads),
    apiKeys: new ApiKeys(changes, loader, pool, calendar, clock),
    billingDetails: new BillingDetails(changes, loader, pool),
    budgets: new Budgets(changes, profiles, loader, budgetReads, pool),
    budgetTrials: new BudgetTrials(reads, calendar),
    cards,
    catalog: new CatalogReads(pool, loader, runtime.releases, calendar, clock),
    callReceipts: new CallReceipts(receipts.receipts),
    disputes: new Disputes(changes, loader, pool),
    focus: new FocusExport({ pool, log, system, reads, calendar, clock }),
    invoices: new Invoices(invoices),
    orders: new Orders({ changes, loader, pool, system }),
    lagOf: (projection: string) => lagAfterWait(log, projections, projection),
    memberRows,
    members: new Members(
      memberRows,
      changes,
      loader,
      deliveries.signInLinks,
      configuration.oidc !== null,
      clock,
    ),
    outlooks: new Outlooks(reads),
    portalSessions: new PortalSessions({
      rows: new SessionRows(pool),
      uses,
      changes,
      loader,
      clock,
      portalUrl,
    }),
    refusals: new Refusals(pool, reads),
    savings: new SavingsReads(reads, calendar),
    statements: new Statements(new PostgresStatementReads(pool, calendar, clock)),
    usage: new AccountUsage(reads),
    webhooks: new WebhookService(deliveries, loader),
    profiles,
    ...invoicingServices(runtime, accountChanges, profiles, findCorrection),
  };
}

export type AccountingServices = ReturnType<typeof accountingServices>;

function invoicingServices(
  runtime: AccountingRuntime,
  accountChanges: AccountChanges,
  profiles: Profiles,
  findCorrection: FindCorrection,
) {
  const { calendar, clock, eventLog: log, invoicing, invoices: reads, loader, pool } = runtime;
  const { system } = runtime;
  const parts = { changes: accountChanges, loader, log, pool, calendar, clock };
  const billing = new BillingChanges(parts);
  const changes = new InvoiceChanges(billing, pool);
  const { numbering, periods } = invoicing;
  const issue = (accountId: string, id: string) => invoicing.numberOf(accountId, id);
  const systemChanges = new SystemChanges(system, clock);
  return {
    creditNotes: new CreditNotes({ changes, numbering, reads, log, pool, issue }),
    giveBacks: new GiveBacks({
      ...parts,
      calls: runtime.reads,
      numbering,
      correctionUnder: findCorrection,
    }),
    invoicing,
    payments: new Payments({ changes: billing, reads, periods, pool }),
    reminders: new Reminders({ changes, reads }),
    resolutions: new DisputeResolutions({ ...parts, disputes: new DisputeReads(pool), numbering }),
    seller: new SellerChanges({ system, changes: systemChanges, profiles, pool }),
    systemChanges,
  };
}
