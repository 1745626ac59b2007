import { useQuery } from '@tanstack/react-query';
import type { Party } from '../../rest/data-answers.js';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { SELLER } from '../accounts/account-fields.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { valuesOf } from '../../form/fields.js';
import { FormButton } from '../form/form-button.js';
import { sellerQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { ExchangeRatesPanel } from './exchange-rates-panel.js';
import { partyFacts } from '../../account/party-facts.js';

/** Who stands on invoices as the one who sends them. */
export function SellerPage() {
  const seller = useQuery(sellerQuery);
  const change = useAdminChange();
  return (
    <Page
      title="Seller"
      lead="Stands on every invoice from now on; what was issued stays as it is."
      actions={
        seller.data && (
          <FormButton
            label="Change"
            title="Who sends invoices"
            variant="filled"
            fields={SELLER}
            initial={valuesOf(SELLER, seller.data)}
            submit="Save"
            onSubmit={(body) => change('PUT', '/seller', body)}
          />
        )
      }
    >
      <Panel>
        <Loaded of={seller}>
          {(party) => <Facts of={[...partyFacts(party), ...logoOf(party)]} />}
        </Loaded>
      </Panel>
      {seller.data?.tax_currency !== undefined && (
        <ExchangeRatesPanel taxCurrency={seller.data.tax_currency} />
      )}
    </Page>
  );
}

function logoOf({ logo }: Party): readonly Fact[] {
  return logo === undefined ? [] : [['Logo', <img key="logo" src={logo} alt="" height={40} />]];
}
