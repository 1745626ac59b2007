import type { Language } from '#billing/invoice.js';
import { DE } from './de.js';
import { EN } from './en.js';
import { FR } from './fr.js';

/** How a language writes numbers and dates. */
export interface Writing {
  /** Between thousands, and before decimals. */
  readonly group: string;
  readonly decimal: string;
  /** Whether the currency stands before an amount. */
  readonly isCurrencyFirst: boolean;
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** A day of a month, as dates begin: `1`, `1.`, `1er`. */
  readonly dayOfMonth: (day: number) => string;
  /** The same of a short date: `6` of `6–12 Oct`. */
  readonly shortDay: (day: number) => string;
}

/** All words of a page, by what they stand for; amounts, dates and numbers come in as texts. */
export interface Texts extends Writing {
  readonly invoice: string;
  readonly testInvoice: string;
  readonly creditNote: string;
  readonly testCreditNote: string;
  readonly invoiceNumber: string;
  readonly creditNoteNumber: string;
  readonly issued: string;
  readonly due: string;
  readonly period: string;
  readonly span: (from: string, to: string) => string;
  readonly replaces: string;
  readonly corrects: string;
  readonly numberOf: (number: string, date: string) => string;
  readonly reason: string;
  readonly yourReference: string;
  readonly purchaseOrder: string;
  readonly from: string;
  readonly billTo: string;
  readonly vatId: (id: string) => string;
  readonly registration: (id: string) => string;
  readonly toPay: (amount: string, date: string) => string;
  readonly credited: (amount: string) => string;
  readonly nothingToPay: string;
  readonly description: string;
  readonly calls: string;
  readonly credits: string;
  readonly pricePer1000: string;
  readonly amount: string;
  readonly invoiceLine: string;
  readonly callOf: (description: string, call: string) => string;
  readonly net: string;
  readonly vat: (rate: string, net: string) => string;
  readonly total: string;
  readonly fromBalance: string;
  readonly amountDue: string;
  readonly totalCredited: string;
  readonly vatIn: (currency: string, amount: string, exchange: string) => string;
  readonly usage: string;
  readonly payment: string;
  readonly pleasePay: (amount: string, date: string, account: string, number: string) => string;
  readonly account: (iban: string) => string;
  readonly testNotPaid: string;
  readonly isPaid: string;
  readonly scan: string;
  readonly settlement: string;
  readonly testNotPaidBack: string;
  readonly setOff: (number: string) => string;
  readonly refunded: (number: string) => string;
  readonly kept: (number: string) => string;
  readonly partlyRefunded: (setOff: string, number: string, refund: string) => string;
  readonly partlyKept: (setOff: string, number: string, kept: string) => string;
  readonly page: (page: string, pages: string) => string;
  readonly accountOnly: (id: string) => string;
  readonly trace: (id: string, from: string, to: string, head: string) => string;
  readonly replaced: (sign: string) => string;
}

/** The words of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE, fr: FR };
