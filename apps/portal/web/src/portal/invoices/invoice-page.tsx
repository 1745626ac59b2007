import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { InvoiceSheet, LineCalls } from '../../account/invoice-sheet.js';
import { invoiceQuery, lineCallsQuery } from '../../rest/data-queries.js';
import { PORTAL } from '../../rest/queries.js';
import { HeldNotice } from './held-notice.js';
import { ResourceName } from '../resource-name.js';

const route = getRouteApi('/invoices/$number');

/** One invoice, its lines down to the calls. */
export function InvoicePage() {
  const { number } = route.useParams();
  return (
    <InvoiceSheet
      rest={PORTAL}
      number={number}
      of={useQuery(invoiceQuery(number))}
      notice={(invoice) => invoice.number === null && <HeldNotice invoice={invoice} />}
      facts={({ seller, buyer }) => [
        ['From', seller.name ?? 'not filled in yet'],
        ['To', buyer.name],
      ]}
      calls={(line) => <CallsBehind number={number} line={line} />}
    />
  );
}

function CallsBehind({ number, line }: { readonly number: string; readonly line: number }) {
  return (
    <LineCalls of={useInfiniteQuery(lineCallsQuery(number, line))}>
      {(call) => (
        <Link to="/calls" search={{ call: call.call_id }} className="plain">
          <ResourceName path={call.key} />
        </Link>
      )}
    </LineCalls>
  );
}
