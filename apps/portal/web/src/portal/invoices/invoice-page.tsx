import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Invoice } from '../../rest/data-answers.js';
import { invoiceQuery, lineCallsQuery } from '../../rest/data-queries.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';
import { Documents } from './documents.js';
import { InvoiceLines, Totals } from './invoice-lines.js';
import { StatePill } from './invoices-page.js';
import css from './invoices.module.css';

const route = getRouteApi('/invoices/$number');

/** One invoice, its lines down to the calls. */
export function InvoicePage() {
  const { number } = route.useParams();
  const invoice = useQuery(invoiceQuery(number));
  const [line, setLine] = useState<number | null>(null);
  return (
    <Page
      title={`Invoice ${number}`}
      lead={<Link to="/invoices">All invoices</Link>}
      actions={invoice.data && <Documents number={number} />}
    >
      <Loaded of={invoice} rows={8}>
        {(data) => (
          <>
            <Facts invoice={data} />
            <Panel flush title="Lines" aside="a number of calls opens them">
              <InvoiceLines lines={data.lines} currency={data.currency} onCalls={setLine} />
              <Totals invoice={data} />
            </Panel>
          </>
        )}
      </Loaded>
      <Drawer
        opened={line !== null}
        onClose={() => setLine(null)}
        position="right"
        size="min(640px, 100vw)"
        title={`Calls behind line ${line ?? ''}`}
        closeButtonProps={CLOSE}
      >
        {line !== null && <LineCalls number={number} line={line} />}
      </Drawer>
    </Page>
  );
}

function Facts({ invoice }: { readonly invoice: Invoice }) {
  const { state, currency, period } = invoice;
  return (
    <Panel>
      <dl className={css.facts}>
        <Fact name="State">
          <StatePill status={state.status} />
        </Fact>
        <Fact name="Period">
          {period.from} to {period.to}
        </Fact>
        <Fact name="Issued">{invoice.issue_date}</Fact>
        <Fact name="Due">{invoice.due_date}</Fact>
        <Fact name="From">{invoice.seller.name ?? 'not filled in yet'}</Fact>
        <Fact name="To">{invoice.buyer.name}</Fact>
        <Fact name="Paid">{formatMoney(state.paid, currency)}</Fact>
        {state.credited !== 0 && (
          <Fact name="Credited">{formatMoney(state.credited, currency)}</Fact>
        )}
        <Fact name="Still due">{formatMoney(state.due, currency)}</Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function LineCalls({ number, line }: { readonly number: string; readonly line: number }) {
  const calls = useQuery(lineCallsQuery(number, line));
  return (
    <Loaded of={calls} rows={8}>
      {({ items, next }) =>
        items.length === 0 ? (
          <Empty title="No calls behind this line" />
        ) : (
          <>
            <Table
              label="Calls"
              head={
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">What was asked for</th>
                  <th scope="col" className={numberCell}>
                    Credits
                  </th>
                </tr>
              }
            >
              {items.map((call) => (
                <tr key={call.call_id}>
                  <td>
                    <Moment at={call.at} />
                  </td>
                  <td className={mainCell}>
                    <Link to="/calls" search={{ call: call.call_id }} className="plain">
                      <ResourceName path={call.key} />
                    </Link>
                  </td>
                  <td className={numberCell}>{formatNumber(call.credits_used)}</td>
                </tr>
              ))}
            </Table>
            {next !== null && (
              <p className={css.note}>The first {formatNumber(items.length)}; the CSV holds all.</p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
