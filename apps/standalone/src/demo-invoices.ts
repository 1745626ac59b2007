import { Profiles } from '#ledger/profiles.js';
import type { Foundations } from '#service/foundations.js';
import { CommandIds } from '../../accounting/src/accounts/command-ids.js';
import type { Change } from '../../accounting/src/accounts/change.js';
import { SystemChanges } from '../../accounting/src/deliveries/system-changes.js';
import type { Invoicing } from '../../accounting/src/invoicing/invoicing.js';
import type { SellerBody } from '../../accounting/src/invoicing/party.body.js';
import { SellerChanges } from '../../accounting/src/invoicing/seller-changes.js';
import type { Payments } from '../../accounting/src/invoicing/payments.js';
import { DEMO_ACCOUNT_ID } from './demo-account.js';

const INVOICES_MAX = 100;

const SELLER: SellerBody = {
  name: 'Popindex demo',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  email: 'billing@example.com',
  payment_days: 30,
};

/** Says who sends the demo's invoices; a month's time to pay leaves the newest one open. */
export async function setDemoSeller({ clock, pool, system }: Foundations): Promise<void> {
  const changes = new SystemChanges(system, clock);
  const ids = new CommandIds(clock);
  const sellers = new SellerChanges({ system, changes, ids, profiles: new Profiles(pool), pool });
  await sellers.change(demoChange('demo seller'), SELLER);
}

/**
 * Issues the invoices of the demo account's past, and records that those which are due by now were
 * paid on their due dates. What is not due yet is left open.
 */
export async function payDemoInvoices(
  { calendar, clock, invoices }: Foundations,
  invoicing: Pick<Invoicing, 'settle'>,
  payments: Payments,
): Promise<void> {
  await invoicing.settle(DEMO_ACCOUNT_ID);
  // What the worker has sealed meanwhile is numbered too.
  await invoicing.settle(DEMO_ACCOUNT_ID);
  const today = calendar.dayAt(clock.now()).label;
  const every = { month: null, status: null, test: null, after: null, limit: INVOICES_MAX };
  const { items } = await invoices.invoices({ accountId: DEMO_ACCOUNT_ID, ...every });
  for (const { number, due_date: date, state } of items) {
    if (date >= today || state.due <= 0) continue;
    const paid = { amount: state.due, date, reference: `Transfer ${number}` };
    await payments.pay(number, demoChange(`demo payment ${number}`), paid);
  }
}

function demoChange(name: string): Change {
  return { by: 'system', requestId: DEMO_ACCOUNT_ID, idempotencyKey: name, input: name };
}
