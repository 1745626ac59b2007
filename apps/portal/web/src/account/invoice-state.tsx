import type { InvoiceStatus } from '#invoice-rules/invoice.js';
import { Pill, type Tone } from '../ui/pill.js';

const STATES: Readonly<Record<InvoiceStatus, { tone: Tone; label: string }>> = {
  held: { tone: 'warn', label: 'held' },
  issued: { tone: 'info', label: 'issued' },
  partly_paid: { tone: 'warn', label: 'partly paid' },
  paid: { tone: 'good', label: 'paid' },
  overdue: { tone: 'bad', label: 'overdue' },
  credited: { tone: 'plain', label: 'credited' },
  written_off: { tone: 'plain', label: 'written off' },
};

/** For choosing one. */
export const INVOICE_STATES = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export function StatePill({ status }: { readonly status: InvoiceStatus }) {
  const { tone, label } = STATES[status];
  return <Pill tone={tone}>{label}</Pill>;
}
