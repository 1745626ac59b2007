import { useQuery } from '@tanstack/react-query';
import { InvoiceLines, Totals } from '../../account/invoice-lines.js';
import type { Account } from '../../rest/answers.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { InvoiceList } from '../invoices/invoice-list.js';
import { draftQuery } from '../rest/admin-queries.js';

/** The month so far, and what was issued to this account. */
export function InvoicesPart({ account }: { readonly account: Account }) {
  const draft = useQuery(draftQuery(account.id));
  return (
    <>
      <Panel flush title="Issued">
        <InvoiceList filter={{ account_id: account.id }} withAccount={false} />
      </Panel>
      <Panel flush title="The month so far" aside={draft.data?.month}>
        <Loaded of={draft}>
          {(invoice) =>
            invoice.lines.length === 0 ? (
              <Empty title={`Nothing to bill in ${invoice.month} yet`} />
            ) : (
              <>
                <InvoiceLines lines={invoice.lines} currency={invoice.currency} />
                <Totals invoice={invoice} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
