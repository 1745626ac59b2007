import { FreeViews } from '#rest/catalog/free-views.js';
import { EventFeed } from '#rest/feed/event-feed.js';
import { Feed } from '#rest/feed/feed.js';
import { TailReads } from '#rest/feed/tail-reads.js';
import { MailedLinks } from '#rest/members/mailed-links.js';
import { Memberships } from '#rest/members/memberships.js';
import { Locator } from '#rest/metered-paths/locate.js';
import { IdentityProvider } from '#rest/oidc/identity-provider.js';
import { OidcAuthenticator } from '#rest/oidc/oidc-authenticator.js';
import { SignInWaysReads } from '#rest/oidc/sign-in-ways.js';
import { PortalAuthenticator } from '#rest/portal-sessions/portal-authenticator.js';
import { SESSION_S } from '#rest/portal-sessions/portal-sessions.js';
import { SessionRows } from '#rest/portal-sessions/session-rows.js';
import { DataApi } from '#rest/pulls/data-api.js';
import { PortalKey } from '#rest/pulls/portal-key.js';
import { Pulls } from '#rest/pulls/pulls.js';
import { PortalQuotes } from '#rest/quotes/portal-quotes.js';
import { PriceList } from '#rest/quotes/price-list.js';
import { KnownRowCounts } from '#rest/quotes/row-counts.js';
import { Reconciliations } from '#rest/reconciliations/reconciliations.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { AccountingRuntime, AccountingServices } from './services.js';

const COOKIE = 'popindex-portal';

/** Services of the portal: the common ones, those of signed-in customers, and its door. */
export function portalServices(runtime: AccountingRuntime, common: AccountingServices) {
  const { apiUrl, calendar, charging, clock, configuration, deliveries, loader, pool } = runtime;
  const { logger, prices, reads, releases } = runtime;
  const locator = new Locator(calendar, releases);
  const priceList = new PriceList(charging, locator, new KnownRowCounts(releases));
  const api = new DataApi(apiUrl);
  const key = new PortalKey(common.apiKeys, loader, pool, deliveries, clock);
  const feed = new EventFeed({
    tails: new TailReads(pool),
    sessions: new SessionRows(pool),
    loader,
    clock,
    onFault: (error) => logger.warn({ err: error }, 'The events of the portal could not be read.'),
  });
  return {
    ...common,
    ...doorServices(runtime, common),
    feed: new Feed(feed),
    freeViews: new FreeViews(loader, releases, prices, calendar, clock),
    pulls: new Pulls(api, key),
    quotes: new PortalQuotes(priceList, configuration, api, key, loader, clock),
    reconciliations: new Reconciliations(reads, pool),
  };
}

export type PortalServices = ReturnType<typeof portalServices>;

/** How customers get in: by a link, by a link that is mailed, or with the company account. */
function doorServices(
  runtime: AccountingRuntime,
  { memberRows: rows, portalSessions: sessions }: AccountingServices,
) {
  const { calendar, clock, configuration, deliveries, logger, rates, reads } = runtime;
  const { portalUrl, oidc: settings, trustProxy } = configuration;
  const { signInLinks: links } = deliveries;
  const strangers = new AnonymousRates(rates, trustProxy);
  const signIns = new SignIns(logger, strangers, runtime.signInRecords, () => Date.now());
  const cookie = new SessionCookie(COOKIE, portalUrl, SESSION_S);
  const door = new PortalAuthenticator(sessions, cookie, signIns, reads, calendar, configuration);
  const memberships = new Memberships({ rows, sessions, door, cookie, reads, clock });
  const oidc =
    settings &&
    new OidcAuthenticator({
      provider: new IdentityProvider(settings, logger),
      publicUrl: portalUrl,
      door: 'portal',
      strangers,
      signIns,
      enter: (request, identity) => memberships.enter(request, identity),
    });
  return {
    cookie,
    door,
    mailedLinks: new MailedLinks({
      links,
      rows,
      memberships,
      strangers,
      signIns,
      hasProvider: oidc !== null,
      onFault: (error) =>
        logger.warn({ err: error }, 'A link to sign in with could not be planned.'),
    }),
    memberships,
    oidc,
    signIns,
    signInWays: new SignInWaysReads(oidc, links),
    strangers,
  };
}
