import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { basePathOf } from '#web/configuration-urls.js';
import { FoundationModule } from '#web/foundation.module.js';
import { accountingProviders } from '../admin/admin.module.js';
import { PORTAL } from '#rest/operation/interfaces.js';
import { routesOf } from '#rest/operation/routes.js';
import { resourcesOf } from '#rest/resources.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { accountOf } from '#rest/portal-sessions/signed-in.js';
import { EventFeed } from '#rest/feed/event-feed.js';
import { TailReads } from '#rest/feed/tail-reads.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import type { PortalDependencies } from './portal-dependencies.js';
import { PORTAL_CONFIGURATION } from '#rest/portal-sessions/portal-authenticator.js';
import { PORTAL_RELEASES, PRICE_SOURCE } from '#rest/catalog/ports.js';
import { PORTAL_URL } from '#portal-backend/portal-url.js';
import { DataApi } from '#rest/pulls/data-api.js';
import { PortalKey } from '#rest/pulls/portal-key.js';
import { Locator } from '#rest/metered-paths/locate.js';
import { PortalQuotes } from '#rest/quotes/portal-quotes.js';
import { PriceList } from '#rest/quotes/price-list.js';
import { KnownRowCounts } from '#rest/quotes/row-counts.js';
import { Quotes } from '#rest/quotes/quotes.js';
import { PortalAuthenticationHook } from '#portal-backend/portal-authentication.hook.js';
import { SESSION_S } from '#rest/portal-sessions/portal-sessions.js';
import { OidcController } from '#rest/oidc/oidc.controller.js';
import { signingIn } from './signing-in.js';
import { SessionRates } from '#portal-backend/session-rates.js';
import { SessionRows } from '#rest/portal-sessions/session-rows.js';

const COOKIE = 'popindex-portal';

/** The customers' portal: one account, that of the session, in every route. */
@Module({})
export class PortalModule {
  static register(dependencies: PortalDependencies): DynamicModule {
    const { configuration, readiness, telemetry } = dependencies;
    const { baseUrl, portalUrl } = configuration;
    const document = () => portalDocument(baseUrl, basePathOf(portalUrl) || '/');
    const foundation = { baseUrl, readiness, telemetry, document };
    return {
      module: PortalModule,
      imports: [CqrsModule.forRoot(), FoundationModule.register(foundation)],
      controllers: [
        ...resourcesOf(PORTAL).map((one) => routesOf(PORTAL, one, accountOf)),
        OidcController,
      ],
      providers: [
        ...accountingProviders(resourcesOf(PORTAL), dependencies),
        ...surroundings(dependencies),
        ...signingIn(dependencies),
        PortalKey,
        { provide: Quotes, useClass: PortalQuotes },
        PortalAuthenticationHook,
        { provide: EventFeed, useValue: feedOf(dependencies) },
      ],
    };
  }
}

function surroundings(dependencies: PortalDependencies): Provider[] {
  const { configuration, releases, prices, apiUrl, rates, charging, calendar } = dependencies;
  const locator = new Locator(calendar, releases);
  const { portalUrl } = configuration;
  return [
    { provide: SessionCookie, useValue: new SessionCookie(COOKIE, portalUrl, SESSION_S) },
    { provide: SessionRates, useValue: new SessionRates(rates) },
    { provide: PORTAL_URL, useValue: portalUrl },
    { provide: PORTAL_CONFIGURATION, useValue: configuration },
    { provide: PORTAL_RELEASES, useValue: releases },
    { provide: PRICE_SOURCE, useValue: prices },
    {
      provide: PriceList,
      useValue: new PriceList(charging, locator, new KnownRowCounts(releases)),
    },
    { provide: DataApi, useValue: new DataApi(apiUrl) },
  ];
}

function feedOf({ pool, loader, clock, log }: PortalDependencies): EventFeed {
  const onFault = (error: unknown): void =>
    log.warn({ err: error }, 'The events of the portal could not be read.');
  const tails = new TailReads(pool);
  return new EventFeed({ tails, sessions: new SessionRows(pool), loader, clock, onFault });
}
