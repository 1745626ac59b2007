import { useQuery } from '@tanstack/react-query';
import { ReceivablesPanel } from '../../account/receivables-panel.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { Page } from '../../ui/page.js';
import { MonthSoFar } from './month-so-far.js';
import { StatementPanel } from './statement-panel.js';
import { BillingPanel, PayPanel } from './terms-panels.js';

/** The running month as an invoice, if it ended now. */
export function MonthPage() {
  return (
    <Page
      title="This month"
      lead="The invoice of the month as if it ended now. It is issued right after the month."
    >
      <MonthSoFar />
    </Page>
  );
}

/** The balance of the account in money, with every document and payment behind it. */
export function PaymentsPage() {
  return (
    <Page
      title="Payments"
      lead="Every document and payment, and what is owed after it, tax included."
    >
      <ReceivablesPanel of={useQuery(one(portal.getReceivables()))} csv={portal.getReceivables()} />
    </Page>
  );
}

/** A month in credits, which anybody can verify. */
export function StatementPage() {
  return (
    <Page title="Statement" lead="A month in credits: what came in, what calls cost, what is left.">
      <StatementPanel />
    </Page>
  );
}

/** Whom invoices are addressed to, and how they are paid. */
export function DetailsPage() {
  return (
    <Page title="Billing details" lead="They stand on invoices from now on.">
      <BillingPanel />
      <PayPanel />
    </Page>
  );
}
