import type { Ledger } from '#invoice-rules/ledger-accounts.js';
import { creditBalance } from '#account/billing-events.js';
import type { AccountState } from '#account/state.js';
import { creditNoteEntry, invoiceEntry } from '#invoice-rules/journal.js';
import type { JournalEntry } from '#invoice-rules/journal.js';
import { isSettling, settlingEntries } from '#invoice-rules/settlement-journal.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { invoicesIn, isOfInvoice, sumsOf, type InvoiceEvent } from '../invoices/account-billing.js';
import type { WalkedEvent } from '../snapshots/account-tail.js';
import type { LaneFindings } from './findings.js';

interface Receivables {
  readonly events: InvoiceEvent[];
  state: AccountState;
  position: number;
}

const ANY_LINE = 'fee' as const;

/**
 * Holds what the journal has booked as receivable and as credit balance of an account against what
 * is due of its invoices, and against the credit balance of its state.
 */
export class ReceivablesCheck {
  private readonly accounts = new Map<string, Receivables>();

  constructor(private readonly findings: LaneFindings) {}

  add(stored: StoredEvent | WalkedEvent): void {
    if (!('account' in stored) || !isOfInvoice(stored.event)) return;
    const { accountId, position, event } = stored;
    const { state } = stored.account;
    const known = this.accounts.get(accountId) ?? { events: [], state, position };
    known.events.push(event);
    this.accounts.set(accountId, Object.assign(known, { state, position }));
  }

  end(): void {
    for (const [account, { events, state, position }] of this.accounts) {
      const entries = entriesOf(events);
      const billing = { version: 0, events };
      const due = invoicesIn(billing).reduce((sum, one) => sum + sumsOf(one, billing).due, 0);
      const owed = { account, due, credit_balance: state.billing.balance };
      const booked = {
        account,
        due: balanceOf(entries, 'receivables'),
        credit_balance: 0 - balanceOf(entries, 'customer_credits'),
      };
      const isEven = due === booked.due && owed.credit_balance === booked.credit_balance;
      if (isEven && creditBalance(events) >= 0) continue;
      this.findings.event('books', position, owed, booked);
    }
  }
}

/** Entries of an account's documents and money, whether they have numbers or not. */
function entriesOf(events: readonly InvoiceEvent[]): JournalEntry[] {
  const invoices = invoicesIn({ version: 0, events });
  const numbers = new Map(invoices.map(({ invoice_id: id }) => [id, id]));
  return events.flatMap((event): JournalEntry[] => {
    if (isSettling(event)) return settlingEntries(event, { numbers });
    if (event.type === 'InvoiceSealed') {
      return [invoiceEntry({ ...event.data, number: event.data.invoice_id })];
    }
    if (event.type !== 'CreditNoteSealed') return [];
    const { credit_note_id: number, invoice_id: of, lines } = event.data;
    // Which revenue it takes back makes no difference here.
    const invoice = {
      lines: lines.map(([n]) => ({ n, type: ANY_LINE, description: '', amount: 0 })),
      tax_breakdown: [],
    };
    return [creditNoteEntry({ ...event.data, number, of }, invoice)];
  });
}

function balanceOf(entries: readonly JournalEntry[], ledger: Ledger): number {
  return entries
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.ledger === ledger)
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0);
}
