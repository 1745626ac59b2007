import { useQuery } from '@tanstack/react-query';
import type { CreditPackage } from '#invoice-rules/invoice.js';
import { FormButton } from '../../form/form-button.js';
import { formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { useAccount, useCanManage } from '../session.js';
import type { Party } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';
import { purchasePrice, type PurchasePrice } from '../../account/purchase-price.js';
import css from './credits.module.css';

interface PackageCardsProps {
  readonly packages: readonly CreditPackage[];
  readonly orders: Party['orders'];
  /** Whether an order is open: there is one at a time. */
  readonly isOpen: boolean;
}

/** The packages with net, tax and total, each with a button that orders it. */
export function PackageCards({ packages, orders, isOpen }: PackageCardsProps) {
  const { plan } = useAccount();
  const tax = useQuery(one(portal.getBillingDetails())).data?.tax;
  return (
    <div className={css.packages}>
      {packages.map((each) => {
        const price = purchasePrice(each.price, plan, tax);
        return (
          <section key={each.name} className={css.package} aria-label={each.name}>
            <h2>{each.name}</h2>
            <p className={css.credits}>{formatNumber(each.credits)}</p>
            <p className={css.unit}>
              credits, {per1000(each)} per 1,000
              {price.tax > 0 && ' before tax'}
            </p>
            <Amounts price={price} currency={each.currency} />
            {orders !== undefined && (
              <OrderButton of={each} price={price} orders={orders} isOpen={isOpen} />
            )}
          </section>
        );
      })}
    </div>
  );
}

/** Rounded to a minor unit. */
function per1000({ price, credits, currency }: CreditPackage): string {
  return formatMoney(Math.round((price * 1_000) / credits), currency);
}

interface AmountsProps {
  readonly price: PurchasePrice;
  readonly currency: string;
}

export function Amounts({ price: { net, tax, total, ratePercent }, currency }: AmountsProps) {
  return (
    <dl className={css.amounts}>
      <dt>Net</dt>
      <dd>{formatMoney(net, currency)}</dd>
      <dt>Tax, {ratePercent} %</dt>
      <dd>{formatMoney(tax, currency)}</dd>
      <dt>Total</dt>
      <dd>{formatMoney(total, currency)}</dd>
    </dl>
  );
}

interface OrderButtonProps {
  readonly of: CreditPackage;
  readonly price: PurchasePrice;
  readonly orders: NonNullable<Party['orders']>;
  readonly isOpen: boolean;
}

function OrderButton({ of, price, orders, isOpen }: OrderButtonProps) {
  const change = useChange('orders', 'account', 'invoices');
  const { name, credits, currency } = of;
  if (!useCanManage()) return <p className={css.unit}>A manager of this account can order it.</p>;
  if (isOpen) return <p className={css.unit}>One order at a time: the open one stands above.</p>;
  const total = formatMoney(price.total, currency);
  return (
    <FormButton
      label="Order"
      title={`Order “${name}”`}
      variant="filled"
      fields={[]}
      submit={`Order for ${total}`}
      onSubmit={() => change(portal.orderTopUp(), { package: name, credits, price: of.price })}
    >
      <p>
        {formatCredits(credits)} for {total}, tax included.{' '}
        {orders === 'at-once'
          ? 'The credits are there at once. The invoice comes by mail, and you pay it by transfer.'
          : 'The order is looked at by your provider. Once it is accepted the credits are there, and the invoice comes by mail. You can cancel it until then.'}
      </p>
      <Amounts price={price} currency={currency} />
    </FormButton>
  );
}
