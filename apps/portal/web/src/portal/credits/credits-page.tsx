import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/credits.js';
import { moneyOf } from '../../format/money.js';
import { Figure, Figures } from '../../ui/figures.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import type { Tone } from '../../ui/pill.js';
import { day, money, number, pill, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { MailLink } from '../mail-link.js';
import { useAccount } from '../session.js';
import type { Party, TopUpOrder } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all, one } from '../../rest/reads.js';
import { OpenOrder, UnpaidPurchases } from './open-order.js';
import { PackageCards } from './package-cards.js';
import css from './credits.module.css';

/** The number of an invoice has no event here. */
const NUMBERED_MS = 5_000;

/** Packages of credits, the order that is open, and how what was ordered is paid. */
export function CreditsPage() {
  const { currency } = useAccount();
  const seller = useQuery(one(portal.getSeller()));
  const orders = useQuery({ ...all(portal.listOrders()), refetchInterval: NUMBERED_MS });
  const open = orders.data?.find(({ status }) => status === 'open');
  return (
    <Page title="Get credits" lead="Order a package. You get an invoice and pay it by transfer.">
      <Balance />
      {open && <OpenOrder order={open} />}
      <UnpaidPurchases orders={orders.data ?? []} />
      <Loaded of={seller}>
        {(party) => {
          const packages = (party.packages ?? []).filter((each) => each.currency === currency);
          const takesOrders = party.orders !== undefined;
          return packages.length === 0 ? (
            <AskSeller seller={party} />
          ) : (
            <>
              <PackageCards packages={packages} orders={party.orders} isOpen={open !== undefined} />
              {takesOrders ? <ByTransfer seller={party} /> : <AskSeller seller={party} />}
            </>
          );
        }}
      </Loaded>
      {orders.data && orders.data.length > 0 && (
        <Panel flush title="Orders">
          <DataTable label="Orders" columns={COLUMNS} rows={orders.data.toReversed()} />
        </Panel>
      )}
    </Page>
  );
}

function Balance() {
  const { balance, available_credits: available, overdraft_credits: overdraft } = useAccount();
  const price = useQuery(one(portal.getForecast())).data?.credit_price ?? null;
  const worth = balance > 0 ? moneyOf(balance, price) : undefined;
  const note =
    worth === undefined ? 'credits' : `credits, worth ${worth} before tax at their price`;
  return (
    <Figures>
      <Figure name="Balance" note={note}>
        {formatNumber(balance)}
      </Figure>
      <Figure
        name="Available for calls"
        note={overdraft ? `credits, with ${formatNumber(overdraft)} of overdraft` : 'credits'}
      >
        {available === null ? 'No limit' : formatNumber(available)}
      </Figure>
    </Figures>
  );
}

/** Where nothing can be ordered here: whom to write to. */
function AskSeller({ seller: { name, email } }: { readonly seller: Party }) {
  return (
    <Panel>
      <Empty title="Credits are ordered by mail">
        {email === undefined ? (
          'Ask your provider for credits.'
        ) : (
          <>
            Write to {name === undefined ? '' : `${name}, `}
            <MailLink address={email} subject="Credits for our account" />. You get an invoice, and
            the credits as soon as they are granted.
          </>
        )}
      </Empty>
    </Panel>
  );
}

function ByTransfer({ seller }: { readonly seller: Party }) {
  const { name = 'The provider', orders, payment_days: days = 14, email } = seller;
  const isAtOnce = orders === 'at-once';
  return (
    <Panel title="What “by transfer” means">
      <ol className={css.steps}>
        <li>
          You order a package. The order holds its credits and its price.
          {!isAtOnce && ' You can cancel it until it is accepted.'}
        </li>
        <li>
          {isAtOnce
            ? 'The credits are there at once: you need not wait for the transfer.'
            : `${name} accepts the order, and the credits are there: you need not wait for the transfer.`}
        </li>
        <li>The invoice comes by mail, and is here under Invoices.</li>
        <li>
          You transfer its total within {days} days, with its number as the reference. Nothing is
          taken from your account by itself.
        </li>
      </ol>
      {email !== undefined && (
        <p>
          Questions: <MailLink address={email} subject="Credits for our account" />
        </p>
      )}
    </Panel>
  );
}

const TONES: Readonly<Record<TopUpOrder['status'], Tone>> = {
  open: 'info',
  accepted: 'good',
  declined: 'bad',
  cancelled: 'plain',
};

const COLUMNS: Columns<TopUpOrder> = [
  day('Ordered', (order) => order.ordered_at),
  text('By', ({ ordered_by: by }) =>
    by === 'owner' ? 'your provider' : by.includes('@') ? by : '',
  ),
  text('Package', (order) => order.package),
  number('Credits', ({ credits }) => credits),
  money(
    'Price before tax',
    ({ price }) => price,
    ({ currency }) => currency,
  ),
  pill('State', ({ status }) => status, TONES),
  { ...text('Reason', ({ reason }) => reason), kind: 'note' },
  {
    label: 'Invoice',
    sort: ({ invoice_number: number }) => number,
    cell: ({ invoice_number: number, status }) =>
      number === null ? (
        status === 'accepted' && 'not issued yet'
      ) : (
        <Link to="/invoices/$number" params={{ number }}>
          {number}
        </Link>
      ),
  },
];
