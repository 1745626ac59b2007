import { evolveAll } from '#account/advance.js';
import {
  type BillingEntry,
  creditBalance,
  type InvoiceRecord,
  type InvoiceSealed,
} from '#account/billing-events.js';
import type { RecordBilling } from '#account/billing.js';
import { decide } from '#account/decide.js';
import { given, grantCredits, openAccount, origin } from '#account/scenario.suite.js';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import { invoiceAccount } from './invoice-account.js';
import { taxOn } from './tax.js';

export const DATE = '2026-11-24';
const RATE = 20;
const TAXED = [{ category: 'S', rate_percent: RATE, taxable: 0, tax: 0 }] as const;

/** An account, all that happened to its invoices, and decisions about them. */
export class Books {
  state = given([TUESDAY, openAccount({ currency: 'USD' })]);
  readonly events: BillingEntry[] = [];

  get invoices(): readonly InvoiceSealed[] {
    return this.events.flatMap(({ type, data }) =>
      type === 'InvoiceSealed' ? [data as InvoiceSealed] : [],
    );
  }

  get items() {
    return this.invoices.map((sealed) => {
      const account = invoiceAccount(issued(sealed), this.events);
      const { invoice_id: id, issue_date: issueDate } = sealed;
      return { id, number: id, due: account.due, issueDate, account };
    });
  }

  get receivables() {
    return { items: this.items, currency: 'USD', balance: creditBalance(this.events) };
  }

  /** Sells credits and invoices them at once. */
  sell(id: string, price: number): InvoiceRecord {
    const sale = grantCredits(10, { grantId: id, price });
    this.state = evolveAll(this.state, decide(this.state, sale, TUESDAY, terms).events);
    return sealedInvoice({ invoice_id: id, grant_id: id }, price);
  }

  record(record: InvoiceRecord): void {
    const after = this.state.billing.version;
    const command: RecordBilling = { command: 'record-billing', origin, after, record };
    const { events, refusal } = decide(this.state, command, TUESDAY, terms);
    expect(refusal).toBeNull();
    this.state = evolveAll(this.state, events);
    this.events.push(...(events as unknown as BillingEntry[]));
  }
}

/** The seal of an invoice over an amount. */
export function sealedInvoice(
  of: Pick<InvoiceSealed, 'invoice_id' | 'grant_id' | 'reissues'>,
  net: number,
): InvoiceRecord {
  const tax = taxOn(net, RATE);
  const amounts = { net, tax, total: net + tax };
  const dates = { issue_date: DATE, due_date: '2026-12-08', month: '2026-11', currency: 'USD' };
  const data = { series: 'INV', lines: 1, sha256: 'ab', seller: null, buyer: null } as const;
  return { type: 'InvoiceSealed', data: { ...of, ...data, ...dates, ...amounts } };
}

/** An invoice as it was issued. */
export function issued({ invoice_id: id, currency, net, tax, total, due_date }: InvoiceSealed) {
  const line = { n: 1, type: 'purchase', description: '', amount: net } as const;
  const lines = [{ ...line, grant_id: id, granted_credits: 10 }];
  return { id, currency, lines, net, tax_breakdown: TAXED, tax, total, due_date };
}
