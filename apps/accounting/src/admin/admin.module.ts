import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { PostgresStatementReads } from '#projections/reads/postgres-statement-reads.js';
import { Profiles } from '#projections/texts/profiles.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { basePathOf } from '#web/configuration-urls.js';
import { FoundationModule } from '#web/foundation.module.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { knownCards } from '#projections/reads/known-cards.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import { AccountEnd } from '#rest/accounts/account-end.js';
import { ExternalIds } from '#rest/accounts/external-ids.js';
import { AccountList } from '#rest/accounts/account-list.js';
import { CallCorrections } from '#rest/credits/call-corrections.js';
import { correctionUnder } from '#deciding/changes/correction-under.js';
import { GrantList } from '#rest/credits/grant-list.js';
import { lagAfterWait } from '#deciding/changes/projection-lag.js';
import {
  ACCOUNT_READS,
  CLOCK,
  PROJECTION_LAG,
  STATEMENT_READS,
  TELEMETRY,
} from '#rest/operation/ports.js';
import { BudgetReads } from '#rest/budgets/budget-reads.js';
import { ChangeHandler } from '#rest/operation/change-command.js';
import { ADMIN } from '#rest/operation/interfaces.js';
import type { Resource } from '#rest/operation/operation.js';
import { routesOf, type LagOf } from '#rest/operation/routes.js';
import { resourcesOf, servicesOf } from '#rest/resources.js';
import { AdminAuthenticator } from '#rest/console-sessions/admin-authenticator.js';
import { AdminAuthenticationHook } from '#admin-backend/admin-authentication.hook.js';
import { AdminTokens } from '#rest/admin-tokens/admin-tokens.js';
import { ConsoleSessions } from '#rest/console-sessions/console-sessions.js';
import { TokenUses } from '#rest/admin-tokens/token-uses.js';
import { ActorNames } from '#rest/operators/actor-names.js';
import { OperatorRows } from '#rest/operators/operator-rows.js';
import { MemberRows } from '#rest/members/member-rows.js';
import { Members } from '#rest/members/members.js';
import { OidcController } from '#rest/oidc/oidc.controller.js';
import { consoleOidc } from './console-oidc.js';
import { AuditReads } from '#rest/audit/audit-reads.js';
import { DELIVERIES } from '#deliveries/deliveries.js';
import { SIGN_IN_LINKS } from '#deliveries/sign-in-links.js';
import { ReceiptKeys } from '#receipts/receipt-keys.js';
import { Receipts } from '#receipts/receipts.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { Exports } from '#rest/exports/exports.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { AccountingPeriods } from '#rest/periods/periods.js';
import { invoicingProviders } from './invoicing-providers.js';
import { UnbilledMonths } from '#invoicing/unbilled-months.js';
import { LossAcknowledgements } from '#rest/system/loss-acknowledgements.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { SessionRows } from '#rest/portal-sessions/session-rows.js';
import { RateCards } from '#deciding/rate-cards/rate-cards.js';
import { SignInRecords } from '#rest/sign-in/sign-in-records.js';
import { SessionUses } from '#rest/sign-in/session-uses.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import type { AdminDependencies } from './admin-dependencies.js';
import { adminDocument } from '#admin-backend/admin-document.js';
import { LOG_TOOLS } from '#rest/system/log-tools.js';
import { PROJECTIONS, RELEASES, type PublishedReleases } from '#rest/system/ports.js';
import { SystemReleases } from '#rest/system/system-releases.js';

/** The admin REST: accounts, their keys and credits, what they called, and the service's state. */
@Module({})
export class AdminModule {
  static register(dependencies: AdminDependencies): DynamicModule {
    const { configuration, readiness, telemetry } = dependencies;
    const { baseUrl, adminUrl } = configuration;
    const document = () => adminDocument(baseUrl, basePathOf(adminUrl) || '/');
    const foundation = { baseUrl, home: '/console/', readiness, telemetry, document };
    return {
      module: AdminModule,
      imports: [CqrsModule.forRoot(), FoundationModule.register(foundation)],
      controllers: [
        ...resourcesOf(ADMIN).map((resource) => routesOf(ADMIN, resource)),
        OidcController,
      ],
      providers: [
        ...accountingProviders(resourcesOf(ADMIN), dependencies),
        { provide: RELEASES, useValue: releasesOf(dependencies) },
        ...safety(dependencies),
        AdminAuthenticationHook,
      ],
    };
  }
}

/** Providers of the routes about accounts, those of operators and those of customers. */
export function accountingProviders(
  resources: readonly Resource[],
  dependencies: Omit<AdminDependencies, 'releases'>,
): Provider[] {
  // A service that is made of parts is provided again below, as a value, which counts.
  return [
    ...servicesOf(resources),
    ChangeHandler,
    ...ports(dependencies),
    ...services(dependencies),
  ];
}

function strangersOf({
  rates,
  configuration,
}: Omit<AdminDependencies, 'releases'>): AnonymousRates {
  return new AnonymousRates(rates, configuration.trustProxy);
}

function releasesOf({ releases, pool }: AdminDependencies): PublishedReleases {
  return releases ?? new SystemReleases(new PostgresEventLog(pool));
}

function ports(dependencies: Omit<AdminDependencies, 'releases'>): Provider[] {
  const log = new PostgresEventLog(dependencies.pool);
  const strangers = strangersOf(dependencies);
  const { signInRecords: records, projections, telemetry } = dependencies;
  const lagOf: LagOf = (projection) => lagAfterWait(log, projections, projection);
  const signIns = new SignIns(dependencies.log, strangers, records, () => Date.now());
  return [
    { provide: ACCOUNT_READS, useValue: dependencies.reads },
    { provide: CLOCK, useValue: dependencies.clock },
    { provide: PROJECTION_LAG, useValue: lagOf },
    ...(telemetry ? [{ provide: TELEMETRY, useValue: telemetry }] : []),
    { provide: PROJECTIONS, useValue: projections },
    { provide: LOG_TOOLS, useValue: dependencies.logTools },
    { provide: pg.Pool, useValue: dependencies.pool },
    { provide: AccountLoader, useValue: dependencies.loader },
    { provide: RateCards, useValue: dependencies.rateCards },
    { provide: ReceiptKeys, useValue: dependencies.receipts.keys },
    { provide: Receipts, useValue: dependencies.receipts.receipts },
    { provide: DELIVERIES, useValue: dependencies.deliveries },
    { provide: AnonymousRates, useValue: strangers },
    { provide: SignIns, useValue: signIns },
    { provide: SignInRecords, useValue: records },
    { provide: Calendar, useValue: dependencies.calendar },
    { provide: Profiles, useValue: dependencies.profiles },
    { provide: TextKeys, useValue: new TextKeys(dependencies.pool) },
  ];
}

function services(dependencies: Omit<AdminDependencies, 'releases'>): Provider[] {
  const { accounting, clock, pool, calendar, loader, configuration } = dependencies;
  const { projections } = dependencies;
  const { profiles, signInRecords: signIns } = dependencies;
  const changes = new AccountChanges({
    accounting,
    profiles,
    clock,
    correctionUnder: (account, command) => correctionUnder(pool, account, command),
  });
  const log = new PostgresEventLog(pool);
  const { portalUrl } = configuration;
  const rows = new SessionRows(pool);
  const uses = sessionUses('portal_session', dependencies);
  const sessions = new PortalSessions({ rows, uses, changes, loader, clock, portalUrl });
  const corrections = new CallCorrections(changes, log, pool);
  const { webhooks } = dependencies.deliveries;
  const texts = new TextKeys(pool);
  const memberRows = new MemberRows(pool);
  const members = new Members({ rows: memberRows, changes, loader, clock });
  const externalIds = new ExternalIds(pool, loader);
  const end = new AccountEnd({
    sessions,
    members,
    webhooks,
    signIns,
    profiles,
    texts,
    externalIds,
    pool,
  });
  const { system, invoicing } = dependencies;
  const cards = knownCards(system, clock);
  const focus = new FocusExport({ pool, log, system, reads: dependencies.reads, calendar, clock });
  const exports = new Exports({ pool, log, system, projections, calendar, clock, focus });
  const systemChanges = new SystemChanges(system, clock);
  const dated = { pool, changes: systemChanges, invoicing, exports, calendar, clock };
  const periods = new AccountingPeriods(dated);
  return [
    { provide: AccountChanges, useValue: changes },
    { provide: CallCorrections, useValue: corrections },
    { provide: PortalSessions, useValue: sessions },
    { provide: MemberRows, useValue: memberRows },
    { provide: Members, useValue: members },
    { provide: AccountEnd, useValue: end },
    { provide: ExternalIds, useValue: externalIds },
    { provide: UnbilledMonths, useValue: new UnbilledMonths(pool, loader, calendar, clock) },
    { provide: AccountList, useValue: new AccountList({ pool, calendar, clock, cards }) },
    {
      provide: BudgetReads,
      useValue: new BudgetReads({ pool, log, loader, calendar, clock, cards }),
    },
    { provide: GrantList, useValue: new GrantList(pool, calendar, clock) },
    { provide: STATEMENT_READS, useValue: new PostgresStatementReads(pool, calendar, clock) },
    { provide: Exports, useValue: exports },
    { provide: FocusExport, useValue: focus },
    { provide: AccountingPeriods, useValue: periods },
    ...invoicingProviders(dependencies, changes),
  ];
}

function sessionUses(
  table: ConstructorParameters<typeof SessionUses>[1],
  { pool, log }: Pick<AdminDependencies, 'pool' | 'log'>,
): SessionUses {
  return new SessionUses(pool, table, (error) =>
    log.warn({ err: error }, 'The use of a session was not written down.'),
  );
}

/** Providers of authentication and audit. */
function safety(dependencies: AdminDependencies): Provider[] {
  const { system, profiles, pool, clock, log } = dependencies;
  const { signInRecords } = dependencies;
  const changes = new SystemChanges(system, clock);
  const uses = new TokenUses(pool, (error) =>
    log.warn({ err: error }, 'The use of an admin token was not written down.'),
  );
  const tokens = new AdminTokens({ system, changes, profiles, pool, uses, clock });
  const { adminToken, adminUrl } = dependencies.configuration;
  const door = new AdminAuthenticator(adminToken, tokens);
  const used = sessionUses('console_session', dependencies);
  const sessions = new ConsoleSessions(pool, used, clock, door, adminUrl);
  const operators = new OperatorRows(pool);
  const actors = new ActorNames(tokens, operators, new MemberRows(pool));
  const signIns = signInRecords;
  const audit = new AuditReads({ pool, log: new PostgresEventLog(pool), actors, signIns });
  const number = () => dependencies.invoicing.numberUnfinished();
  const acknowledgement = new LossAcknowledgements({ changes, number });
  return [
    { provide: AdminTokens, useValue: tokens },
    { provide: AdminAuthenticator, useValue: door },
    { provide: ConsoleSessions, useValue: sessions },
    { provide: OperatorRows, useValue: operators },
    { provide: ActorNames, useValue: actors },
    consoleOidc(dependencies),
    // Operators get no links by e-mail.
    { provide: SIGN_IN_LINKS, useValue: null },
    { provide: AuditReads, useValue: audit },
    { provide: SystemChanges, useValue: changes },
    { provide: LossAcknowledgements, useValue: acknowledgement },
  ];
}
