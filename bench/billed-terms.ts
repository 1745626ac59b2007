import type { Plan } from '#account/terms.js';
import { ADMIN_TOKEN } from './servers.js';

/** A plan whose months have something to be invoiced. */
export const BILLED_PLAN: Plan = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 500,
  tax: { category: 'S', rate_percent: 20 },
};

const SELLER = {
  name: 'Index GmbH',
  address: { line1: 'Gasse 2', city: 'Wien', postcode: '1020', country: 'AT' },
  vat_id: 'ATU12345675',
  email: 'billing@index.example',
};

/** Names the seller of a service: until then each invoice is held. */
export async function nameSeller(adminUrl: string): Promise<void> {
  const response = await fetch(`${adminUrl}/admin/v1/seller`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(SELLER),
  });
  if (!response.ok) throw new Error(`The seller: ${response.status} ${await response.text()}`);
}
