/** Codes of the accounts that entries are booked to: an operator's own chart of accounts. */
export interface JournalAccounts {
  readonly receivables: string;
  /** Sold or earned, and not invoiced yet. */
  readonly contract_assets: string;
  readonly bank: string;
  /** Money of customers that no invoice has got yet. */
  readonly customer_credits: string;
  readonly tax_payable: string;
  /** Credits that were sold and not used yet. */
  readonly deferred_revenue: string;
  readonly fee_revenue: string;
  readonly overage_revenue: string;
  /** Purchased credits that were used. */
  readonly credit_revenue: string;
  /** Purchased credits that expired or were forfeited. */
  readonly breakage_revenue: string;
  /** Purchases that older versions credited without their credits: a deduction from revenue. */
  readonly purchase_refunds: string;
  /** Invoices that are not expected to be paid any more. */
  readonly bad_debts: string;
}

export const DEFAULT_ACCOUNTS: JournalAccounts = {
  receivables: '1200',
  contract_assets: '1210',
  bank: '1000',
  customer_credits: '2300',
  tax_payable: '2200',
  deferred_revenue: '2400',
  fee_revenue: '4000',
  overage_revenue: '4010',
  credit_revenue: '4020',
  breakage_revenue: '4030',
  purchase_refunds: '4090',
  bad_debts: '6000',
};

/** An account by what it holds, whatever its code. */
export type Ledger = keyof JournalAccounts;

/** Settings of a DATEV client. */
export interface DatevSettings {
  /** Beraternummer and Mandantennummer. */
  readonly consultant: number;
  readonly client: number;
  /** Digits of the accounts of the chart; a customer's has one more. */
  readonly account_length: number;
  /** Month in which the fiscal year begins, 1 to 12. */
  readonly fiscal_year_month: number;
  /** BU-Schlüssel by category and rate, `S 19`; without one the tax has rows of its own. */
  readonly tax_keys: Readonly<Record<string, string>>;
}
