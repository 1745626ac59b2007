import { xmlFaultOf } from './currencies.js';
import type { Address, PartialBuyer, Seller, TaxAccounting, TaxBreakdown } from './invoice.js';
import { requiredParts } from './postal-addresses.js';

/** A missing member of a lawful invoice: `pointer` is its place in the party or document. */
export interface Missing {
  readonly party: 'seller' | 'buyer' | 'document';
  readonly pointer: string;
  readonly detail: string;
}

/** The parts of an invoice or a credit note that decide whether it is complete. */
export interface DocumentFacts {
  readonly currency: string;
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
  readonly tax_breakdown: readonly TaxBreakdown[];
  readonly tax_accounting?: TaxAccounting;
}

function missingIn(
  party: Missing['party'],
  whole: { readonly name?: string; readonly address?: Partial<Address> },
): Missing[] {
  const missing: Missing[] = [];
  if (!whole.name) missing.push({ party, pointer: '/name', detail: `The ${party}'s name.` });
  for (const part of requiredParts(whole.address?.country)) {
    if (whole.address?.[part]) continue;
    missing.push({
      party,
      pointer: `/address/${part}`,
      detail: `The ${party}'s address: ${part}.`,
    });
  }
  return missing;
}

function missingIdentifiers({ seller, buyer, tax_breakdown }: DocumentFacts): Missing[] {
  const categories = new Set(tax_breakdown.map(({ category }) => category));
  const isTaxed = [...categories].some((category) => category !== 'O');
  const missing: Missing[] = [];
  if (isTaxed && !seller.vat_id) {
    const detail = "The seller's VAT identifier, which every tax category but O asks for.";
    missing.push({ party: 'seller', pointer: '/vat_id', detail });
  }
  // Outside the scope of tax a VAT identifier must not be named (BR-O-02), so another one has to.
  if (categories.has('O') && !seller.registration_id) {
    const detail = "The seller's registration number, which stands for the VAT identifier here.";
    missing.push({ party: 'seller', pointer: '/registration_id', detail });
  }
  if (categories.has('AE') && !buyer.vat_id) {
    const detail = "The buyer's VAT identifier, because the buyer owes the tax.";
    missing.push({ party: 'buyer', pointer: '/vat_id', detail });
  }
  return missing;
}

/** Facts that every lawful invoice has. */
export function missingFacts(document: DocumentFacts): Missing[] {
  return [
    ...missingIn('seller', document.seller),
    ...missingIn('buyer', document.buyer),
    ...missingIdentifiers(document),
  ];
}

/** Currencies of a document's amounts: its own, and the one in which its tax is owed. */
function currenciesOf({ currency, seller, tax_breakdown, tax_accounting }: DocumentFacts) {
  const isTaxed = tax_breakdown.some(({ tax }) => tax !== 0);
  const owed = tax_accounting?.currency ?? (isTaxed ? seller.tax_currency : undefined);
  const own = { pointer: '/currency', code: currency };
  if (owed === undefined || owed === currency) return [own];
  return [own, { pointer: '/tax_accounting/currency', code: owed }];
}

/** Currencies whose amounts no XML can state: nothing in the document can be corrected. */
export function currenciesWithoutXml(document: DocumentFacts): Missing[] {
  return currenciesOf(document).flatMap(({ pointer, code }) => {
    const detail = xmlFaultOf(code);
    return detail === undefined ? [] : [{ party: 'document', pointer, detail }];
  });
}

/**
 * Members that a lawful invoice, and its XML by EN 16931, still lacks (contract 6). Empty: none. A
 * currency whose amounts no XML can state is listed too.
 */
export function missingFor(document: DocumentFacts): Missing[] {
  return [...missingFacts(document), ...currenciesWithoutXml(document)];
}
