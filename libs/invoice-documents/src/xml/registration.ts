import type { InvoiceFormat, Seller } from '#invoice-rules/invoice.js';
import { registerOf } from '#invoice-rules/profiles.js';

/** BT-30 with the register that it is of. */
export interface Registration {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The seller's registration; only Peppol names its register. */
export function registrationOf(
  seller: Partial<Seller>,
  format: InvoiceFormat | undefined,
): Registration | undefined {
  const { registration_id: id } = seller;
  if (id === undefined || id === '') return undefined;
  const register = format === 'peppol-bis-3' ? registerOf(seller) : undefined;
  return { id, attributes: register === undefined ? {} : { schemeID: register } };
}
