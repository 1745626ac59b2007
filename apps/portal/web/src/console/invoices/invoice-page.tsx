import { Link, useParams } from '@tanstack/react-router';
import { InvoiceSheet } from '../../account/invoice-sheet.js';
import { PaymentsPanel } from '../../account/payments-panel.js';
import type { Fact } from '../../ui/facts.js';
import css from '../console.module.css';
import { HeldNotice } from './held-notice.js';
import { InvoiceActions } from './invoice-actions.js';
import { admin } from '../admin.js';
import type { ShownInvoice } from '../../rest/answers.js';

/** One invoice: its lines down to the calls, its payments and credit notes. */
export function InvoicePage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  return (
    <InvoiceSheet
      document={admin.getInvoice}
      number={number}
      notice={(invoice) => invoice.number === null && <HeldNotice invoice={invoice} />}
      creditNote={admin.getCreditNote}
      facts={factsOf}
      actions={(invoice) => invoice.number !== null && <InvoiceActions invoice={invoice} />}
      calls={(line) => admin.listLineCalls({ number, line })}
      call={({ key }) => <code className={css.wrap}>{key}</code>}
    >
      {(invoice) => invoice.number !== null && <PaymentsPanel invoice={invoice} />}
    </InvoiceSheet>
  );
}

function factsOf(invoice: ShownInvoice): readonly Fact[] {
  const { account_id: accountId, buyer } = invoice;
  return [
    [
      'Account',
      <Link key="account" to={`/accounts/${accountId}` as string}>
        {buyer.name}
      </Link>,
    ],
    ...(invoice.number === null ? [] : [['Reminders', remindersOf(invoice)] as const]),
  ];
}

function remindersOf({ reminders: { sent, stopped } }: ShownInvoice): string {
  const days = sent.map((one) => `${one.days} days after the due date`).join(', ') || 'none';
  return stopped ? `${days}; stopped` : days;
}
