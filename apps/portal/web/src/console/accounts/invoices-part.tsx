import { useQuery } from '@tanstack/react-query';
import { InvoiceLines, Totals } from '../../account/invoice-lines.js';
import { ReceivablesPanel } from '../../account/receivables-panel.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { InvoiceList } from '../invoices/invoice-list.js';
import { HeldInvoices } from '../invoices/held-notice.js';
import { ReceivablesActions } from '../invoices/receivables-actions.js';
import { admin } from '../admin.js';
import type { Account } from '../../rest/answers.js';
import { one } from '../../rest/reads.js';

/** The statement of this account, its invoices, and the month so far. */
export function InvoicesPart({ account }: { readonly account: Account }) {
  const draft = useQuery(one(admin.getInvoiceDraft({ account_id: account.id })));
  const receivables = useQuery(one(admin.getReceivables({ account_id: account.id })));
  return (
    <>
      <HeldInvoices accountId={account.id} />
      <ReceivablesPanel
        of={receivables}
        csv={admin.getReceivables({ account_id: account.id })}
        actions={(of) => <ReceivablesActions of={of} />}
      />
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
