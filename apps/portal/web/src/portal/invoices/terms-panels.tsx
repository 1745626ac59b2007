import { useQuery } from '@tanstack/react-query';
import { partyFacts } from '../../account/party-facts.js';
import { CopyText } from '../../ui/copy-text.js';
import { Facts } from '../../ui/facts.js';
import { Loaded } from '../../ui/loaded.js';
import { Panel } from '../../ui/page.js';
import { MailLink } from '../mail-link.js';
import { useAccount } from '../session.js';
import { BillingButton } from '../prices/billing-button.js';
import { invoicedWhen } from '../prices/invoiced-when.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

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
                [
                  'Questions',
                  party.email === undefined ? (
                    'not filled in yet'
                  ) : (
                    <MailLink key="mail" address={party.email} subject="An invoice" />
                  ),
                ],
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
