import { getRouteApi, Link } from '@tanstack/react-router';
import { InvoiceSheet } from '../../account/invoice-sheet.js';
import { PaymentsPanel } from '../../account/payments-panel.js';
import { HeldNotice } from './held-notice.js';
import { ResourceName } from '../resource-name.js';
import { portal } from '../../rest/portal.js';

const route = getRouteApi('/invoices/$number');

/** One invoice: its lines down to the calls, and its payments. */
export function InvoicePage() {
  const { number } = route.useParams();
  return (
    <InvoiceSheet
      document={portal.getInvoice}
      number={number}
      notice={(invoice) => invoice.number === null && <HeldNotice invoice={invoice} />}
      creditNote={portal.getCreditNote}
      calls={(line) => portal.listLineCalls({ number, line, limit: 200 })}
      call={({ key, call_id: call }) => (
        <Link to="/calls" search={{ call }} className="opens-row">
          <ResourceName path={key} />
        </Link>
      )}
    >
      {(invoice) => invoice.number !== null && <PaymentsPanel invoice={invoice} />}
    </InvoiceSheet>
  );
}
