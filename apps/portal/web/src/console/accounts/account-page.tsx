import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { formatMoney } from '../../format/money.js';
import { formatNumber } from '../../format/credits.js';
import { CopyText } from '../../ui/copy-text.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import frame from '../../frame/frame.module.css';
import css from '../console.module.css';
import { Facts } from '../../ui/facts.js';
import { RefusalsPart } from '../refusals/refusals-page.js';
import { AccountActions } from './account-actions.js';
import { AccountPills } from './account-pills.js';
import { ApiKeysPart } from './api-keys-part.js';
import { BillingPart } from './billing-part.js';
import { BudgetsPart } from './budgets-part.js';
import { CreditsPart } from './credits-part.js';
import { InvoicesPart } from './invoices-part.js';
import { PortalPart } from './portal-part.js';
import { admin } from '../admin.js';
import type { Account } from '../../rest/answers.js';
import { one, pages } from '../../rest/reads.js';
import { CallsView } from '../calls/calls-view.js';
import { Deliveries } from '../../account/deliveries.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { useChange } from '../../rest/use-change.js';
import { Paged } from '../../ui/paged.js';
import { Timeline } from '../system/timeline.js';

interface PartProps {
  readonly account: Account;
}

const PARTS: readonly {
  readonly path: string;
  readonly label: string;
  readonly part: (props: PartProps) => React.JSX.Element;
}[] = [
  { path: '', label: 'Story', part: StoryPart },
  { path: '/credits', label: 'Credits', part: CreditsPart },
  { path: '/calls', label: 'Calls', part: CallsPart },
  { path: '/refusals', label: 'Refused', part: RefusalsPart },
  { path: '/budgets', label: 'Budgets', part: BudgetsPart },
  { path: '/keys', label: 'API keys', part: ApiKeysPart },
  { path: '/billing', label: 'Terms and billing', part: BillingPart },
  { path: '/invoices', label: 'Invoices', part: InvoicesPart },
  { path: '/emails', label: 'E-mails', part: EmailsPart },
  { path: '/portal', label: 'Portal', part: PortalPart },
];

function NoPart({ id }: { readonly id: string }) {
  return (
    <Empty title="There is no page at this address">
      <Link to={`/accounts/${id}` as string}>The story of the account</Link>
    </Empty>
  );
}

/** The whole story of one account, and everything that can be changed about it. */
export function AccountPage() {
  const { id = '', part = '' } = useParams({ strict: false }) as { id?: string; part?: string };
  const account = useQuery(one(admin.getAccount({ account_id: id })));
  const shown = PARTS.find(({ path }) => path === (part === '' ? '' : `/${part}`));
  return (
    <Page
      title={account.data === undefined ? 'Account' : (account.data.name ?? 'Erased account')}
      lead={<Link to={'/accounts' as string}>All accounts</Link>}
      actions={account.data && <AccountActions account={account.data} />}
    >
      <Loaded
        of={account}
        rows={8}
        missing={
          <Empty title={`There is no account ${id}`}>
            <Link to={'/accounts' as string}>All accounts</Link>
          </Empty>
        }
      >
        {(data) => (
          <>
            <Head account={data} />
            <nav className={css.tabs} aria-label="Parts of the account">
              {PARTS.map(({ path, label }) => (
                <Link
                  key={path}
                  to={`/accounts/${id}${path}` as string}
                  activeOptions={{ exact: true }}
                  className={frame.tab}
                >
                  {label}
                </Link>
              ))}
            </nav>
            {shown === undefined ? <NoPart id={id} /> : <shown.part account={data} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ account }: PartProps) {
  const owed = useQuery(one(admin.getReceivables({ account_id: account.id }))).data;
  const { balance, overdraft_credits: overdraft, forecast, test_clock: clock } = account;
  return (
    <Panel>
      <Facts
        of={[
          ['State', <AccountPills key="state" account={account} />],
          ...(account.external_id ? [['External id', account.external_id] as const] : []),
          ...(owed === undefined || owed.overdue === 0
            ? []
            : ([
                ['Overdue', <strong key="o">{formatMoney(owed.overdue, owed.currency)}</strong>],
              ] as const)),
          ['Balance', <strong key="balance">{formatNumber(balance)} credits</strong>],
          ['Overdraft', overdraft === null ? 'no limit' : formatNumber(overdraft)],
          [`Used in ${account.window}`, formatNumber(account.window_credits_used)],
          [
            'Credits last until',
            forecast.exhausted_at === null ? (
              'beyond the forecast'
            ) : (
              <Moment key="until" at={forecast.exhausted_at} />
            ),
          ],
          ...(overdraft === 0 || forecast.balance_exhausted_at === null
            ? []
            : [
                [
                  'Overdraft begins',
                  <Moment key="overdraft" at={forecast.balance_exhausted_at} />,
                ] as const,
              ]),
          [
            'Expected this month',
            `${formatNumber(forecast.month_credits)} credits (confidence: ${forecast.confidence})`,
          ],
          ['Opened', <Moment key="opened" at={account.opened_at} dateOnly />],
          ...(clock === null ? [] : [['Test clock', <Moment key="clock" at={clock} />] as const]),
        ]}
      />
      <div className={css.id}>
        <CopyText value={account.id} what="account id" />
      </div>
    </Panel>
  );
}

/** Calls of one account, newest first; a row opens the explanation of its price. */
function CallsPart({ account }: { readonly account: Account }) {
  return <CallsView accountId={account.id} />;
}

/** E-mails about the account, each with its attempts. */
function EmailsPart({ account: { id } }: { readonly account: Account }) {
  const change = useChange();
  return (
    <Panel title="E-mails" aside="invoices, reminders, alerts and links, newest first">
      <Deliveries
        of={(status) => admin.listEmails({ account_id: id, order: 'desc', status })}
        onResend={(deliveryId) => change(admin.resendDelivery({ delivery_id: deliveryId }))}
        refusal={useChangeRefusal()}
      />
    </Panel>
  );
}

/** Everything that was changed about an account, newest first. Calls have a part of their own. */
function StoryPart({ account }: { readonly account: Account }) {
  const entries = useInfiniteQuery(
    pages(admin.listAudit({ order: 'desc', account_id: account.id })),
  );
  return (
    <Panel flush title="What happened" aside="newest first; who, when and why">
      <Paged of={entries} empty={<Empty title="Nothing yet" />}>
        {(items) => (
          <Timeline
            entries={items}
            currency={account.currency}
            hasOwnTime={account.test_clock !== null}
          />
        )}
      </Paged>
    </Panel>
  );
}
