import type { CreditsGranted } from '#account/credits.js';
import { formatMoment } from '#calendar/instant.js';
import type { GrantDetails } from './credit.schemas.js';

/** The invoice of a purchase by itself. */
export type OwnInvoice = Pick<GrantDetails, 'invoice_id' | 'invoice_number'>;

/** Of what is on its month's invoice, or was not bought. */
export const NO_INVOICE: OwnInvoice = { invoice_id: null, invoice_number: null };

/** A grant as it was given: what was left once a debt was repaid. */
export function givenGrant(
  event: { readonly at: number; readonly data: CreditsGranted },
  note: string | null,
  { invoice_id, invoice_number }: OwnInvoice,
): GrantDetails {
  const { data, at } = event;
  const left = data.credits - data.repaid;
  return {
    id: data.grant_id,
    kind: data.kind,
    credits: data.credits,
    left,
    priority: data.priority,
    expires_at: data.expires_at,
    granted_at: formatMoment(at),
    price: data.price,
    note,
    status: left > 0 ? 'active' : 'spent',
    invoice_id,
    invoice_number,
  };
}
