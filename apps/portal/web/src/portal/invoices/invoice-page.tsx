import { getRouteApi, Link } from '@tanstack/react-router';
import { InvoiceSheet } from '../../account/invoice-sheet.js';
import { PaymentsPanel } from '../../account/payments-panel.js';
import { PayBox } from '../../account/pay-box.js';
import type { IssuedInvoice } from '../../rest/answers.js';
import { Panel } from '../../ui/page.js';
import { HeldNotice } from './held-notice.js';
import { ResourceName } from '../resource-name.js';
import { portal } from '../../rest/portal.js';

const route = getRouteApi('/invoices/$number');

/** How it is paid, while something of it is due. */
function Pay({
  of: { state, seller, currency, number, due_date: dueDate },
}: {
  of: IssuedInvoice;
}) {
  if (state.due <= 0) return null;
  return (
    <Panel title="Pay">
      <PayBox
        seller={seller}
        due={state.due}
        currency={currency}
        number={number}
        dueDate={dueDate}
      />
    </Panel>
  );
}

/** One invoice: its lines down to the calls, and its payments. */
export function InvoicePage() {
  const { number } = route.useParams();
  return (
    <InvoiceSheet
      document={portal.getInvoice}
      number={number}
      notice={(invoice) =>
        invoice.number === null ? <HeldNotice invoice={invoice} /> : <Pay of={invoice} />
      }
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
