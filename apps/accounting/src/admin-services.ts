import { BankPayments } from '#invoicing/bank/bank-payments.js';
import { UnbilledMonths } from '#invoicing/unbilled-months.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { AccountEnd } from '#rest/accounts/account-end.js';
import { AccountList } from '#rest/accounts/account-list.js';
import { Accounts } from '#rest/accounts/accounts.js';
import { ExternalIds } from '#rest/accounts/external-ids.js';
import { AdminTokens } from '#rest/admin-tokens/admin-tokens.js';
import { TokenUses } from '#rest/admin-tokens/token-uses.js';
import { AuditReads } from '#rest/audit/audit-reads.js';
import { BankStatements } from '#rest/bank-statements/bank-statements.js';
import { AdminAuthenticator } from '#rest/console-sessions/admin-authenticator.js';
import { ConsoleAuthenticator } from '#rest/console-sessions/console-authenticator.js';
import { ConsoleSessions } from '#rest/console-sessions/console-sessions.js';
import { CallCorrections } from '#rest/credits/call-corrections.js';
import { Credits } from '#rest/credits/credits.js';
import { GrantList } from '#rest/credits/grant-list.js';
import { ExchangeRates } from '#rest/exchange-rates/exchange-rates.js';
import { Exports } from '#rest/exports/exports.js';
import { IdentityProvider, SignInFailed } from '#rest/oidc/identity-provider.js';
import { OidcAuthenticator } from '#rest/oidc/oidc-authenticator.js';
import { SignInWaysReads } from '#rest/oidc/sign-in-ways.js';
import { ROLES } from '#rest/operation/role.js';
import { ActorNames } from '#rest/operators/actor-names.js';
import { OperatorRows } from '#rest/operators/operator-rows.js';
import { Operators } from '#rest/operators/operators.js';
import { AccountingPeriods } from '#rest/periods/periods.js';
import { RateCardService } from '#rest/rate-cards/rate-card-service.js';
import { ReceiptKeyService } from '#rest/receipts/receipt-key-service.js';
import { Reconciliations } from '#rest/reconciliations/reconciliations.js';
import { Search } from '#rest/search/search.js';
import { SessionUses } from '#rest/sign-in/session-uses.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { Summaries } from '#rest/summary/summaries.js';
import { LossAcknowledgements } from '#rest/system/loss-acknowledgements.js';
import { SystemReleases } from '#rest/system/system-releases.js';
import { SystemService } from '#rest/system/system-service.js';
import { WholeLog } from '#rest/whole-log/whole-log.js';
import { localUrl } from '#web/configuration-urls.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { AccountingRuntime, AccountingServices } from './services.js';

/** Services of the admin REST: the common ones, those of operators, and its doors. */
export function adminServices(runtime: AccountingRuntime, common: AccountingServices) {
  const { calendar, clock, eventLog: log, invoicing, loader, pool, reads, system } = runtime;
  const { logTools, projections, receipts } = runtime;
  const { focus, payments, seller, systemChanges: changes } = common;
  const { periods } = invoicing;
  const exports = new Exports({ pool, log, system, projections, calendar, clock, focus });
  const number = () => invoicing.numberUnfinished();
  const losses = new LossAcknowledgements(changes, number);
  const releases = new SystemReleases(log);
  return {
    ...common,
    ...doorServices(runtime, common),
    ...accountServices(runtime, common),
    bankStatements: new BankStatements(
      new BankPayments({ pool, log, system, changes, payments, periods }),
    ),
    exchangeRates: new ExchangeRates(system, changes, seller),
    exports,
    periods: new AccountingPeriods({ pool, changes, invoicing, exports, calendar, clock }),
    rateCards: new RateCardService(runtime.rateCards, loader, pool, calendar, clock),
    receiptKeys: new ReceiptKeyService(receipts.keys, clock),
    reconciliations: new Reconciliations(reads, pool),
    search: new Search(pool, loader),
    summaries: new Summaries(pool, loader, reads, calendar, clock, logTools),
    system: new SystemService(
      releases,
      projections,
      logTools,
      losses,
      changes,
      pool,
      calendar,
      clock,
    ),
    wholeLog: new WholeLog(pool, calendar, reads),
  };
}

export type AdminServices = ReturnType<typeof adminServices>;

/** Accounts and their credits, as operators change them. */
function accountServices(
  { calendar, clock, deliveries, eventLog, invoicing, ...runtime }: AccountingRuntime,
  common: AccountingServices,
) {
  const {
    accountChanges: changes,
    accountReader,
    cards,
    members,
    portalSessions,
    profiles,
  } = common;
  const { loader, pool, rateCards, reads, signInRecords } = runtime;
  const externalIds = new ExternalIds(pool, loader);
  const end = new AccountEnd({
    sessions: portalSessions,
    members,
    webhooks: deliveries.webhooks,
    signIns: signInRecords,
    profiles,
    texts: new TextKeys(pool),
    externalIds,
    pool,
  });
  const corrections = new CallCorrections(changes, eventLog, pool);
  const grants = new GrantList(pool, calendar, clock);
  return {
    accounts: new Accounts(
      changes,
      profiles,
      loader,
      new AccountList(pool, calendar, clock, cards),
      end,
      rateCards,
      invoicing,
      new UnbilledMonths(pool, loader, calendar, clock),
      calendar,
      pool,
      accountReader,
      externalIds,
    ),
    credits: new Credits(changes, corrections, loader, grants, invoicing, reads),
  };
}

/** Who operators are, how they get in, and what they did. */
function doorServices(
  runtime: AccountingRuntime,
  { memberRows, profiles, systemChanges: changes }: AccountingServices,
) {
  const { adminToken, calendar, clock, configuration, eventLog: log, logger, pool } = runtime;
  const { rates, signInRecords, system } = runtime;
  const strangers = new AnonymousRates(rates, configuration.trustProxy);
  const signIns = new SignIns(logger, strangers, signInRecords, () => Date.now());
  const uses = new TokenUses(pool, (error) =>
    logger.warn({ err: error }, 'The use of an admin token was not written down.'),
  );
  const tokens = new AdminTokens({ system, changes, profiles, pool, uses, clock });
  const door = new AdminAuthenticator(adminToken, tokens);
  const used = new SessionUses(pool, 'console_session', (error) =>
    logger.warn({ err: error }, 'The use of a session was not written down.'),
  );
  const sessions = new ConsoleSessions(pool, used, clock, door, configuration.adminUrl);
  const operatorRows = new OperatorRows(pool);
  const actors = new ActorNames(tokens, operatorRows, memberRows);
  const entry = { strangers, signIns, sessions, operatorRows };
  const oidc = companySignIn(runtime, entry);
  return {
    audit: new AuditReads(pool, log, actors, signInRecords),
    console: new ConsoleAuthenticator(sessions, actors, signIns, calendar, configuration),
    consoleSessions: sessions,
    door,
    oidc,
    operators: new Operators(operatorRows, changes),
    signIns,
    // Operators get no links by e-mail.
    signInWays: new SignInWaysReads(oidc, { canMail: false }),
    strangers,
    tokens,
  };
}

/** Signing in to the console with the company account; null: there is no identity provider. */
function companySignIn(
  { configuration, clock, logger }: AccountingRuntime,
  {
    sessions,
    operatorRows,
    ...entry
  }: {
    readonly strangers: AnonymousRates;
    readonly signIns: SignIns;
    readonly sessions: ConsoleSessions;
    readonly operatorRows: OperatorRows;
  },
): OidcAuthenticator | null {
  const { oidc, adminUrl, host, accountingPort } = configuration;
  if (oidc === null) return null;
  return new OidcAuthenticator({
    ...entry,
    provider: new IdentityProvider(oidc, logger),
    publicUrl: adminUrl ?? localUrl(host, accountingPort),
    door: 'console',
    enter: async (_request, identity) => {
      // The first of several, in the order of rights.
      const role = ROLES.find((known) => identity.roles.includes(known));
      if (role === undefined) throw new SignInFailed('no-role');
      const by = await operatorRows.keep(identity, role, clock.now());
      return { cookie: await sessions.openFor(by, role), by };
    },
  });
}
