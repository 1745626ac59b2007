import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { SELLER } from './seller-fields.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { valuesOf } from '../../form/fields.js';
import { ExchangeRatesPanel } from './exchange-rates-panel.js';
import { partyFacts } from '../../account/party-facts.js';
import { admin } from '../admin.js';
import type { Party } from '../../rest/answers.js';
import { one } from '../../rest/reads.js';
import { ChangeButton } from '../../form/change-button.js';

/** Who stands on invoices as the one who sends them. */
export function SellerPage() {
  const seller = useQuery(one(admin.getSeller()));
  return (
    <Page
      title="Seller"
      lead="Stands on every invoice from now on; what was issued stays as it is."
      actions={
        seller.data && (
          <ChangeButton
            label="Change"
            title="Who sends invoices"
            variant="filled"
            fields={SELLER}
            initial={valuesOf(SELLER, seller.data)}
            submit="Save"
            of={admin.replaceSeller()}
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
