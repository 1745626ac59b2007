import { useQuery } from '@tanstack/react-query';
import { InvoiceLines, Totals } from '../../account/invoice-lines.js';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { problemOf } from '../../rest/problem.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import type { InvoiceDraft } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

/** The invoice of the running month if it ended now. */
export function MonthSoFar() {
  const draft = useQuery(one(portal.getInvoiceDraft()));
  if (problemOf(draft.error).status === 404) return null;
  return (
    <Panel
      // A panel of its own once it is read: its head may need more lines then.
      key={draft.data === undefined ? 'reading' : 'read'}
      flush
      title="The month so far"
      aside={draft.data && <Outlook draft={draft.data} />}
    >
      <Loaded of={draft}>
        {(invoice) =>
          invoice.lines.length === 0 ? (
            <Empty title={`Nothing to bill in ${invoice.month} yet`}>
              {formatMoney(0, invoice.currency)} so far.
            </Empty>
          ) : (
            <>
              <InvoiceLines lines={invoice.lines} currency={invoice.currency} />
              <Totals invoice={invoice} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Outlook({ draft: { month, currency, forecast } }: { readonly draft: InvoiceDraft }) {
  const total = formatMoney(forecast.total, currency);
  const credits = formatCredits(forecast.credits_used);
  return `${month} as if it ended now · it is expected to come to ${total} for ${credits}`;
}
