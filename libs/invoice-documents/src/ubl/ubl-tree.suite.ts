import type { XmlTree } from '../xml/xml-tree.suite.js';

/** A UBL document as the rules look at it. */
export interface UblTree {
  readonly root: XmlTree;
  readonly isInvoice: boolean;
  readonly lines: readonly XmlTree[];
  /** BG-23. */
  readonly subtotals: readonly XmlTree[];
}

/** A rule by its identifier in the standard. */
export type Rule = readonly [id: string, holds: (ubl: UblTree) => boolean];

export const SELLER = 'cac:AccountingSupplierParty/cac:Party';
export const BUYER = 'cac:AccountingCustomerParty/cac:Party';
export const VAT_ID = 'cac:PartyTaxScheme/cbc:CompanyID';

/** An amount with at most two decimals. */
export const AMOUNT = /^-?\d+(\.\d{1,2})?$/;

/** Hundredths of a decimal with at most two decimals; NaN for what is none. */
export function cents(value: string | undefined): number {
  if (value === undefined || !AMOUNT.test(value)) return Number.NaN;
  return Math.round(Number(value) * 100);
}
