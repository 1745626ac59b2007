import { dueDate } from '#invoice-rules/draft-invoice.js';
import { Profiles } from '#projections/texts/profiles.js';
import type { Foundations } from '#service/foundations.js';
import type { Change } from '#deciding/changes/change.js';
import { commandIdOf } from '#deciding/command-id.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import type { SellerBody } from '#invoicing/party.body.js';
import { SELLER_SCOPE, SellerChanges } from '#invoicing/seller-changes.js';
import type { Payments } from '#invoicing/payments.js';
import { DEMO_ACCOUNT_ID } from './demo-account.js';

const INVOICES_MAX = 100;
/** How long after the due date its customers pay, once they were reminded. */
const DAYS_LATE = 4;

const SELLER: SellerBody = {
  name: 'Popindex demo',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  vat_id: 'ATU12345675',
  registration_id: 'FN 123456a',
  email: 'billing@example.com',
  iban: 'AT611904300234573201',
  payment_days: 14,
  packages: [
    { name: 'Starter', credits: 100_000, price: 15_000, currency: 'USD' },
    { name: 'Team', credits: 1_000_000, price: 120_000, currency: 'USD' },
    { name: 'Company', credits: 5_000_000, price: 500_000, currency: 'USD' },
  ],
  orders: 'approve',
};

const SELLER_KEY = 'demo seller, complete';
/** Of the command that says who sends the demo's invoices. */
export const DEMO_SELLER_ID = commandIdOf(SELLER_SCOPE, SELLER_KEY);

/** Says who sends the demo's invoices. A second time it changes nothing. */
export async function setDemoSeller({ clock, pool, system }: Foundations): Promise<void> {
  const changes = new SystemChanges(system, clock);
  const sellers = new SellerChanges({ system, changes, profiles: new Profiles(pool), pool });
  await sellers.change(demoChange(SELLER_KEY), SELLER);
}

/**
 * Issues the invoices of the demo account's past, and records that those which were overdue at its
 * end were paid soon after: whoever reads its story sees each reminder before the payment that
 * followed it. The others stay open, however often this is done.
 */
export async function payDemoInvoices(
  { calendar, invoices }: Pick<Foundations, 'calendar' | 'invoices'>,
  endedAt: number,
  invoicing: Pick<Invoicing, 'invoiceAccount'>,
  payments: Pick<Payments, 'pay'>,
): Promise<void> {
  await invoicing.invoiceAccount(DEMO_ACCOUNT_ID);
  // What the worker has sealed meanwhile is numbered too.
  await invoicing.invoiceAccount(DEMO_ACCOUNT_ID);
  const today = calendar.dayAt(endedAt).label;
  const every = { month: null, status: null, test: null, after: null, limit: INVOICES_MAX };
  const { items } = await invoices.invoices({ accountId: DEMO_ACCOUNT_ID, ...every });
  for (const { number, due_date: due, state } of items) {
    if (due >= today || state.due <= 0) continue;
    const reminded = dueDate(due, DAYS_LATE);
    const date = reminded < today ? reminded : today;
    const paid = { amount: state.due, date, reference: `Transfer ${number}` };
    await payments.pay(number, demoChange(`demo payment ${number}`), paid);
  }
}

function demoChange(name: string): Change {
  return { by: 'system', requestId: DEMO_ACCOUNT_ID, idempotencyKey: name, input: name };
}
