import { Receipts } from '#receipts/receipts.js';
import { ReceiptSigner } from '#receipts/receipt-signer.js';
import { JwksController } from '#rest/receipts/jwks.controller.js';
import { type DynamicModule, Module } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KeyRecord } from '#account/key-directory.js';
import { Calendar } from '#calendar/calendar.js';
import { FocusExport } from '#rest/exports/focus-export.js';
import { PUBLIC } from '#rest/operation/interfaces.js';
import { CatalogReads } from '#rest/catalog/catalog.js';
import {
  ACCOUNT_READS,
  CALLING_KEY,
  CONFIRMED_KEY,
  FORWARDING,
  INVOICE_READS,
  STATEMENT_READS,
} from '#rest/operation/ports.js';
import { routesOf } from '#rest/operation/routes.js';
import { forwardedRoutesOf } from '#rest/operation/forwarded-routes.js';
import { Quotes } from '#rest/quotes/quotes.js';
import { Reconciliations } from '#rest/reconciliations/reconciliations.js';
import { Refusals } from '#rest/refusals/refusals.js';
import { PUBLIC_RESOURCES, servicesOf } from '#rest/resources.js';
import { FoundationModule } from '#web/foundation.module.js';
import type { ApiDependencies } from './api-dependencies.js';
import type { ApiParts } from './api-parts.js';
import { accountOf, ApiKeyGuard, callerOf, confirmKey } from './callers/api-key.guard.js';
import { Authenticator } from './callers/authenticator.js';
import { apiDocument } from './openapi/api-document.js';
import { PriceList } from '#rest/quotes/price-list.js';
import { ApiQuotes, BASE_URL } from './quotes/api-quotes.js';

const { own, forwarded } = PUBLIC_RESOURCES;

/** The free resources of the public API. The metered ones are raw routes of its server. */
@Module({})
export class ApiModule {
  static register(given: ApiDependencies, parts: ApiParts): DynamicModule {
    const { baseUrl } = given.configuration;
    const { readiness, telemetry } = given;
    const foundation = { baseUrl, readiness, telemetry, document: () => apiDocument(baseUrl) };
    return {
      module: ApiModule,
      imports: [FoundationModule.register(foundation)],
      controllers: [
        JwksController,
        ...own.map((one) => routesOf(PUBLIC, one, accountOf, [ApiKeyGuard])),
        ...forwarded.map((one) => forwardedRoutesOf(PUBLIC, one, [ApiKeyGuard])),
      ],
      providers: [
        { provide: Authenticator, useValue: parts.authenticator },
        { provide: PriceList, useValue: parts.prices },
        ...servicesOf(own),
        { provide: Quotes, useClass: ApiQuotes },
        { provide: Receipts, useValue: given.receipts.receipts },
        { provide: ReceiptSigner, useValue: given.receipts.signer },
        { provide: CatalogReads, useValue: given.catalog },
        { provide: Reconciliations, useValue: given.reconciliations },
        { provide: Refusals, useValue: given.refusals },
        { provide: FORWARDING, useValue: given.forwarding },
        { provide: CALLING_KEY, useValue: (request: FastifyRequest) => callerOf(request).record },
        {
          provide: CONFIRMED_KEY,
          useValue: (request: FastifyRequest, found: KeyRecord | undefined) =>
            confirmKey(parts.authenticator, request, found),
        },
        { provide: ACCOUNT_READS, useValue: given.reads },
        { provide: INVOICE_READS, useValue: given.invoices },
        { provide: STATEMENT_READS, useValue: given.statements },
        { provide: FocusExport, useValue: given.focus },
        { provide: Calendar, useValue: given.calendar },
        { provide: BASE_URL, useValue: baseUrl },
      ],
    };
  }
}
