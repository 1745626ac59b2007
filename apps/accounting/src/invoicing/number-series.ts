import type { StoredEvent } from '#event-log/event-log.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED } from '#ledger/number-events.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '#ledger/number-events.js';

/** Whether an event gives a number. */
export function isNumbering({ type }: Pick<StoredEvent, 'type'>): boolean {
  return type === INVOICE_NUMBERED || type === CREDIT_NOTE_NUMBERED;
}

/** An event that gives a number, read from the log. Throws for any other. */
export function numberOf(event: StoredEvent): InvoiceNumbered | CreditNoteNumbered {
  if (!isNumbering(event)) throw new Error(`An event of type ${event.type} gives no number.`);
  return JSON.parse(event.data) as InvoiceNumbered | CreditNoteNumbered;
}

/** What the system's stream keeps of such an event. */
type KeptNumber = Pick<InvoiceNumbered | CreditNoteNumbered, 'series' | 'ordinal'>;

/** The last number of each series. Of the system's events it reads each once. */
export class NumberSeries {
  private position = 0;
  private readonly last = new Map<string, number>();

  /** `events`: all of the system's, oldest first. */
  takeIn(events: readonly StoredEvent[]): void {
    for (const event of events.slice(this.position)) {
      if (!isNumbering(event)) continue;
      const { series, ordinal } = JSON.parse(event.data) as KeptNumber;
      this.last.set(series, ordinal);
    }
    this.position = Math.max(this.position, events.length);
  }

  /** The numbers that come next, one for each, in their order. */
  next(series: readonly string[]): number[] {
    const last = new Map(this.last);
    return series.map((name) => {
      const ordinal = (last.get(name) ?? 0) + 1;
      last.set(name, ordinal);
      return ordinal;
    });
  }
}
