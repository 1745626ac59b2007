import { useQuery } from '@tanstack/react-query';
import { purchasePrice } from '../../account/purchase-price.js';
import { ActButton } from '../../form/act-button.js';
import { ChangeButton } from '../../form/change-button.js';
import { formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import css from '../console.module.css';
import { admin } from '../admin.js';
import type { Account, Party, TopUpOrder } from '../../rest/answers.js';
import { all, one } from '../../rest/reads.js';

/** The order of credits that waits for an answer, with what each answer leads to. */
export function OpenOrder({ account }: { readonly account: Account }) {
  const of = { account_id: account.id };
  const orders = useQuery(all(admin.listOrders(of))).data ?? [];
  const billing = useQuery(one(admin.getBillingDetails(of))).data;
  const order = orders.find(({ status }) => status === 'open');
  if (order === undefined) return null;
  const { id: order_id, ordered_by: by, ordered_at: at } = order;
  return (
    <Notice
      tone="warn"
      title={`“${order.package}” is ordered: ${formatCredits(order.credits)} for ${moneyText(order, account, billing)}`}
      action={
        <div className={css.actions}>
          <ChangeButton
            label="Decline"
            title={`Decline the order of ${account.name ?? 'this account'}`}
            size="compact-sm"
            fields={[
              {
                name: 'reason',
                label: 'Reason',
                description: 'The customer reads it, also by mail.',
              },
            ]}
            submit="Decline it"
            of={admin.declineOrder({ ...of, order_id })}
          >
            <p>No credits and no money move. The customer can order again at once.</p>
          </ChangeButton>
          <ActButton
            label="Accept"
            title={`Accept the order of ${account.name ?? 'this account'}?`}
            confirm="Accept it"
            of={admin.acceptOrder({ ...of, order_id })}
          >
            <Consequences order={order} account={account} billing={billing} />
          </ActButton>
        </div>
      }
    >
      Ordered <Moment at={at} />
      {by.includes('@') ? ` by ${by}` : ''}.
    </Notice>
  );
}

interface ConsequencesProps {
  readonly order: TopUpOrder;
  readonly account: Account;
  readonly billing: Party | undefined;
}

function Consequences({ order, account, billing }: ConsequencesProps) {
  const { balance, name } = account;
  const after = formatNumber(balance + order.credits);
  const isMonthly = billing?.purchases === 'monthly';
  return (
    <>
      <p>
        <strong>
          {name ?? 'The account'} gets {formatCredits(order.credits)} at once
        </strong>
        : its balance goes from {formatNumber(balance)} to {after}.
      </p>
      <p>
        {moneyText(order, account, billing)}: invoiced {isMonthly ? 'with this month' : 'at once'},
        and paid by transfer.
        {billing?.address === undefined &&
          ' The billing details lack an address: the invoice is held until it is filled in.'}
      </p>
    </>
  );
}

/** `US$1,440.00, US$240.00 tax included` */
function moneyText({ price, currency }: TopUpOrder, { plan }: Account, billing?: Party): string {
  const { tax, total } = purchasePrice(price, plan, billing?.tax);
  const words = formatMoney(total, currency);
  return tax === 0 ? `${words}, no tax` : `${words}, ${formatMoney(tax, currency)} tax included`;
}
