import type { Provider } from '@nestjs/common';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import { correctionUnder } from '#deciding/changes/correction-under.js';
import type { AdminDependencies } from './admin-dependencies.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { CreditNotes } from '#invoicing/credit-notes.js';
import { DisputeResolutions } from '#invoicing/dispute-resolutions.js';
import { GiveBacks } from '#invoicing/give-backs.js';
import { BillingChanges } from '#invoicing/billing-changes.js';
import { InvoiceChanges } from '#invoicing/invoice-changes.js';
import { INVOICE_READS } from '#rest/operation/ports.js';
import { DisputeReads } from '#projections/reads/dispute-reads.js';
import { Invoicing } from '#invoicing/invoicing.js';
import { ExchangeRates } from '#rest/exchange-rates/exchange-rates.js';
import { Payments } from '#invoicing/payments.js';
import { Reminders } from '#invoicing/reminders.js';
import { SellerChanges } from '#invoicing/seller-changes.js';

/** Providers of the operations about invoices. */
export function invoicingProviders(
  dependencies: Omit<AdminDependencies, 'releases'>,
  accountChanges: AccountChanges,
): Provider[] {
  const { pool, system, profiles, clock, calendar, loader } = dependencies;
  const { invoicing, invoices: reads } = dependencies;
  const log = new PostgresEventLog(pool);
  const parts = { changes: accountChanges, loader, log, pool, calendar, clock };
  const billing = new BillingChanges(parts);
  const changes = new InvoiceChanges(billing, pool);
  const { numbering } = invoicing;
  const payments = new Payments({ changes: billing, reads, periods: invoicing.periods, pool });
  const issue = (accountId: string, id: string) => invoicing.numberOf(accountId, id);
  const notes = new CreditNotes({ changes, numbering, reads, log, pool, issue });
  const giveBacks = new GiveBacks({
    ...parts,
    calls: dependencies.reads,
    numbering,
    correctionUnder: (accountId, commandId) => correctionUnder(pool, accountId, commandId),
  });
  const resolutions = new DisputeResolutions({
    ...parts,
    disputes: new DisputeReads(pool),
    numbering,
  });
  const systemChanges = new SystemChanges(system, clock);
  const sellers = new SellerChanges({ system, changes: systemChanges, profiles, pool });
  return [
    { provide: INVOICE_READS, useValue: reads },
    { provide: Invoicing, useValue: invoicing },
    { provide: CreditNotes, useValue: notes },
    { provide: GiveBacks, useValue: giveBacks },
    { provide: DisputeResolutions, useValue: resolutions },
    { provide: Payments, useValue: payments },
    { provide: Reminders, useValue: new Reminders({ changes, reads }) },
    { provide: SellerChanges, useValue: sellers },
    { provide: ExchangeRates, useValue: new ExchangeRates(system, systemChanges, sellers) },
  ];
}
