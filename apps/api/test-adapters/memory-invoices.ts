import type { InvoiceReads } from '#ledger/views/invoice-reads.js';

/** Of an account that has no invoices: what is read of them is tested where they are issued. */
export class MemoryInvoices implements InvoiceReads {
  /** Whose invoices were asked for, in the order of the questions. */
  readonly asked: (string | null)[] = [];

  async draft(accountId: string) {
    this.asked.push(accountId);
    return undefined;
  }

  async invoices({ accountId }: { readonly accountId: string | null }) {
    this.asked.push(accountId);
    return { items: [], next: null };
  }

  async invoice(accountId: string | null) {
    this.asked.push(accountId);
    return undefined;
  }

  async creditNotes({ accountId }: { readonly accountId: string | null }) {
    this.asked.push(accountId);
    return { items: [], next: null };
  }

  async creditNote(accountId: string | null) {
    this.asked.push(accountId);
    return undefined;
  }

  async document(accountId: string | null) {
    this.asked.push(accountId);
    return undefined;
  }

  async lineCalls(accountId: string | null) {
    this.asked.push(accountId);
    return undefined;
  }
}
