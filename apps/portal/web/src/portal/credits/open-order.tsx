import { useQuery } from '@tanstack/react-query';
import { PayBox } from '../../account/pay-box.js';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { useAccount, useCanManage } from '../session.js';
import type { TopUpOrder } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';
import { purchasePrice } from '../../account/purchase-price.js';

/** The order that waits for the provider, and a button that cancels it. */
export function OpenOrder({ order }: { readonly order: TopUpOrder }) {
  const { plan } = useAccount();
  const tax = useQuery(one(portal.getBillingDetails())).data?.tax;
  const canManage = useCanManage();
  const change = useChange('orders');
  const { credits, price, currency, ordered_at: at } = order;
  const total = formatMoney(purchasePrice(price, plan, tax).total, currency);
  return (
    <Notice
      title={`Your order of “${order.package}” waits for your provider`}
      {...(canManage && {
        action: (
          <ConfirmButton
            label="Cancel the order"
            title={`Cancel the order of “${order.package}”?`}
            confirm="Cancel it"
            withReason={false}
            onConfirm={() => change(portal.cancelOrder({ order_id: order.id }))}
          >
            No credits come, and nothing is to be paid. You can order again at once.
          </ConfirmButton>
        ),
      })}
    >
      {formatCredits(credits)} for {total}, tax included. Ordered <Moment at={at} />. Once it is
      accepted the credits are there, and the invoice comes by mail.
    </Notice>
  );
}

const SHOWN_MAX = 5;

/** Invoices of purchases that are still to be paid, with where the money goes. */
export function UnpaidPurchases({ orders }: { readonly orders: readonly TopUpOrder[] }) {
  const numbers = orders.flatMap(({ invoice_number: number }) => (number === null ? [] : [number]));
  return numbers.slice(-SHOWN_MAX).map((number) => <Unpaid key={number} number={number} />);
}

function Unpaid({ number }: { readonly number: string }) {
  const invoice = useQuery(one(portal.getInvoice({ number }))).data;
  const due = invoice?.state?.due ?? 0;
  if (invoice === undefined || due <= 0) return null;
  const { seller, currency, due_date: dueDate } = invoice;
  return (
    <Panel title={`Pay invoice ${number}`}>
      <PayBox seller={seller} due={due} currency={currency} number={number} dueDate={dueDate} />
    </Panel>
  );
}
