import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { Profiles } from '#ledger/profiles.js';
import { FoundationModule } from '#web/foundation.module.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { ACCOUNT_CONTROLLERS, ACCOUNT_HANDLERS } from '../accounts/account-routes.js';
import { AccountList } from '../accounts/account-list.js';
import { CallCorrections } from '../accounts/call-corrections.js';
import { CommandIds } from '../accounts/command-ids.js';
import { GrantList } from '../accounts/grant-list.js';
import { ACCOUNT_READS, CLOCK, EVENT_LOG, PROJECTION_PROGRESS } from '../accounts/ports.js';
import { AlertsController } from '../deliveries/alerts.controller.js';
import { DELIVERIES } from '../deliveries/deliveries.js';
import { WebhooksController } from '../deliveries/webhooks.controller.js';
import { RATE_CARD_CONTROLLERS, RATE_CARD_HANDLERS } from '../rate-cards/rate-card-routes.js';
import { RateCards } from '../rate-cards/rate-cards.js';
import type { AdminDependencies } from './admin-dependencies.js';
import { AdminToken } from './admin-token.js';
import { AdminTokenHook } from './admin-token.hook.js';
import { ListProjectionsHandler } from './list-projections.handler.js';
import { ListReleasesHandler } from './list-releases.handler.js';
import { adminDocument } from './openapi/admin-document.js';
import { LogToolsController } from './log-tools.controller.js';
import { LOG_TOOLS } from './log-tools.js';
import { PROJECTIONS, RELEASES } from './ports.js';
import { SystemController } from './system.controller.js';
import { SystemReleases } from './system-releases.js';
import { UnavailableInterceptor } from './unavailable.interceptor.js';

/** The admin REST: accounts, their keys and credits, what they called, and the service's state. */
@Module({})
export class AdminModule {
  static register(dependencies: AdminDependencies): DynamicModule {
    const { configuration, readiness } = dependencies;
    const document = adminDocument(configuration.baseUrl);
    const foundation = { baseUrl: configuration.baseUrl, readiness, document };
    return {
      module: AdminModule,
      imports: [CqrsModule.forRoot(), FoundationModule.register(foundation)],
      controllers: [
        ...ACCOUNT_CONTROLLERS,
        ...RATE_CARD_CONTROLLERS,
        WebhooksController,
        AlertsController,
        SystemController,
        LogToolsController,
      ],
      providers: [
        ...ports(dependencies),
        ...services(dependencies),
        ...ACCOUNT_HANDLERS,
        ...RATE_CARD_HANDLERS,
        ListReleasesHandler,
        ListProjectionsHandler,
        AdminTokenHook,
        { provide: APP_INTERCEPTOR, useClass: UnavailableInterceptor },
      ],
    };
  }
}

function ports(dependencies: AdminDependencies): Provider[] {
  const log = new PostgresEventLog(dependencies.pool);
  return [
    { provide: ACCOUNT_READS, useValue: dependencies.reads },
    { provide: CLOCK, useValue: dependencies.clock },
    { provide: EVENT_LOG, useValue: log },
    { provide: PROJECTION_PROGRESS, useValue: dependencies.projections },
    { provide: PROJECTIONS, useValue: dependencies.projections },
    { provide: LOG_TOOLS, useValue: dependencies.logTools },
    { provide: RELEASES, useValue: dependencies.releases ?? new SystemReleases(log) },
    { provide: pg.Pool, useValue: dependencies.pool },
    { provide: AccountLoader, useValue: dependencies.loader },
    { provide: RateCards, useValue: dependencies.rateCards },
    { provide: DELIVERIES, useValue: dependencies.deliveries },
    { provide: Calendar, useValue: dependencies.calendar },
    { provide: Profiles, useValue: dependencies.profiles },
  ];
}

function services(dependencies: AdminDependencies): Provider[] {
  const { accounting, clock, pool, calendar, configuration } = dependencies;
  const changes = new AccountChanges(accounting, clock);
  const corrections = new CallCorrections(changes, new PostgresEventLog(pool), pool);
  return [
    { provide: AccountChanges, useValue: changes },
    { provide: CallCorrections, useValue: corrections },
    { provide: CommandIds, useValue: new CommandIds(clock) },
    { provide: AccountList, useValue: new AccountList(pool, calendar, clock) },
    { provide: GrantList, useValue: new GrantList(pool, calendar, clock) },
    { provide: AdminToken, useValue: new AdminToken(configuration.adminToken) },
  ];
}
