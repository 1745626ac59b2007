import { RATE_DAYS } from './exchange-rates.js';
import { missingFacts, type DocumentFacts, type Missing } from './missing.js';
import { missingForFormat } from './profile-rules.js';

/** Whether tax is owed in another currency at a rate that nobody has set. */
function lacksRate({ currency, seller, tax_breakdown, tax_accounting }: DocumentFacts): boolean {
  const { tax_currency: owed = currency } = seller;
  const isTaxed = tax_breakdown.some(({ tax }) => tax !== 0);
  return isTaxed && owed !== currency && tax_accounting === undefined;
}

/** Facts beside a document that decide whether it is issued. */
export interface HoldingFacts {
  /** Whether a plan or the billing details say how it is taxed. */
  readonly isTaxStated: boolean;
  /** Month of the account's oldest invoice that is held; null: none before this one. */
  readonly heldBefore: string | null;
}

/**
 * Reasons for which a document is not issued: missing facts, and those that contradict each other.
 * Empty: it is issued. A currency that fits no XML is none, because nothing can be corrected.
 */
export function reasonsToHold(
  document: DocumentFacts,
  { isTaxStated, heldBefore }: HoldingFacts,
): Missing[] {
  const { seller, buyer, tax_breakdown } = document;
  const isUntold = !isTaxStated && Boolean(seller.vat_id);
  // How it is taxed decides which identifier the seller needs.
  const reasons = missingFacts(document).filter(
    ({ party, pointer }) => !isUntold || party !== 'seller' || pointer !== '/registration_id',
  );
  if (isUntold) {
    const detail = 'How the buyer is taxed: the seller is registered for VAT.';
    reasons.push({ party: 'buyer', pointer: '/tax', detail });
  }
  const country = seller.address?.country;
  const isDomestic = country !== undefined && buyer.address?.country === country;
  if (isDomestic && tax_breakdown.some(({ category }) => category === 'AE')) {
    const detail = `Reverse charge (AE) within one country: seller and buyer are in ${country}.`;
    reasons.push({ party: 'buyer', pointer: '/tax/category', detail });
  }
  if (lacksRate(document)) {
    const { tax_currency: owed = '' } = seller;
    const detail =
      `The exchange rate of ${document.currency} in ${owed} at the tax point, or of one of the ` +
      `${RATE_DAYS} days before it.`;
    reasons.push({ party: 'document', pointer: '/tax_accounting', detail });
  }
  reasons.push(...missingForFormat(document));
  if (heldBefore !== null) {
    const detail = `The invoice of ${heldBefore} comes first, and is held.`;
    reasons.push({ party: 'document', pointer: '/month', detail });
  }
  return reasons;
}
