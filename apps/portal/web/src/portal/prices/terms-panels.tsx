import { useQuery } from '@tanstack/react-query';
import type { Plan } from '#account/terms.js';
import { partyFacts } from '../../account/party-facts.js';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { CopyText } from '../../ui/copy-text.js';
import { Facts } from '../../ui/facts.js';
import { Loaded } from '../../ui/loaded.js';
import { Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { BillingButton } from './billing-button.js';
import { invoicedWhen } from './invoiced-when.js';
import css from './prices.module.css';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

/** The plan, and the one from the next month on. */
export function PlanPanel() {
  const { plan, plan_next_month: next, currency } = useAccount();
  const isOther = JSON.stringify(plan) !== JSON.stringify(next);
  return (
    <Panel title="Plan">
      <PlanFacts plan={plan} currency={currency} />
      {isOther && (
        <>
          <p className={css.later}>From the next month on:</p>
          <PlanFacts plan={next} currency={currency} />
        </>
      )}
    </Panel>
  );
}

interface PlanFactsProps {
  readonly plan: Plan | null;
  readonly currency: string;
}

function PlanFacts({ plan, currency }: PlanFactsProps) {
  if (plan === null) return <p>No plan: credits are bought beforehand.</p>;
  return (
    <Facts
      of={[
        ['Monthly fee', formatMoney(plan.monthly_fee, currency)],
        ['Included', formatCredits(plan.included_credits)],
        ['Per 1,000 beyond', formatMoney(plan.price_per_1000_credits, currency)],
        ['Tax', `${plan.tax.rate_percent} %`],
      ]}
    />
  );
}

/** Whom invoices are addressed to. */
export function BillingPanel() {
  const billing = useQuery(one(portal.getBillingDetails()));
  return (
    <Panel title="Billing details" aside={<BillingButton label="Change" />}>
      <Loaded of={billing}>{(party) => <Facts of={partyFacts(party)} />}</Loaded>
    </Panel>
  );
}

/** How invoices are paid: whom, where to, and by when. */
export function PayPanel() {
  const seller = useQuery(one(portal.getSeller()));
  const billing = useQuery(one(portal.getBillingDetails()));
  const { plan } = useAccount();
  return (
    <Panel title="How to pay">
      <Loaded of={seller}>
        {(party) => (
          <>
            <p>
              {billing.data && `${invoicedWhen(plan, billing.data.purchases)} `}
              {party.payment_days !== undefined && `It is due within ${party.payment_days} days. `}
              Name its number with the transfer.
            </p>
            <Facts
              of={[
                ['To', party.name ?? 'not filled in yet'],
                [
                  'Account',
                  party.iban === undefined ? (
                    'on the invoice, or ask'
                  ) : (
                    <CopyText key="iban" value={party.iban} what="IBAN" />
                  ),
                ],
                ['Questions', party.email ?? 'not filled in yet'],
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
