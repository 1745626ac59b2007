import type { StoredEvent } from '#event-log/event-log.js';
import { bothOf, type Fold } from '#event-log/fold.js';
import { STANDING_LOSSES } from '#event-log/log-losses.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED } from '#projections/events/number-events.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '#projections/events/number-events.js';

/** Whether an event gives a number. */
export function isNumbering({ type }: Pick<StoredEvent, 'type'>): boolean {
  return type === INVOICE_NUMBERED || type === CREDIT_NOTE_NUMBERED;
}

/** An event that gives a number, read from the log. Throws for any other. */
export function numberOf(event: StoredEvent): InvoiceNumbered | CreditNoteNumbered {
  if (!isNumbering(event)) throw new Error(`An event of type ${event.type} gives no number.`);
  return JSON.parse(event.data) as InvoiceNumbered | CreditNoteNumbered;
}

/** The last number of each series that has one. */
export type LastNumbers = ReadonlyMap<string, number>;

export const LAST_NUMBERS: Fold<Map<string, number>> = {
  initial: () => new Map(),
  evolve: (last, event) => {
    if (!isNumbering(event)) return last;
    const { series, ordinal } = numberOf(event);
    return last.set(series, ordinal);
  },
};

/** The folds on which numbers are given: none is given while lane 0 has lost positions. */
export const NUMBERS_AND_LOSSES = bothOf(LAST_NUMBERS, STANDING_LOSSES);

/** The numbers that come next, one for each, in their order. */
export function nextNumbers(known: LastNumbers, series: readonly string[]): number[] {
  const last = new Map(known);
  return series.map((name) => {
    const ordinal = (last.get(name) ?? 0) + 1;
    last.set(name, ordinal);
    return ordinal;
  });
}
