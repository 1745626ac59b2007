import { useState } from 'react';
import { PriceTotal } from '../../account/price-total.js';
import { ChangeForm } from '../../form/change-form.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { toMinor, type FormValues } from '../../form/fields.js';
import { formatNumber } from '../../format/credits.js';
import { Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { bodiesOf, customerFields, STEPS, typedTax, type Step } from './customer-steps.js';
import { CustomerMade } from './customer-made.js';
import { useCustomer, type Customer } from './use-customer.js';

const INITIAL: FormValues = {
  'account/currency': 'USD',
  pays: 'prepaid',
  'key/label': 'First key',
};

/** Opens an account with all that its first call needs, in one form. */
export function NewCustomerPage() {
  const { made, isComplete, make } = useCustomer();
  const [currency, setCurrency] = useState('USD');
  const refusal = useChangeRefusal();
  const done = new Set<Step>(STEPS.filter((step) => made[step] !== undefined));
  const fields = customerFields(currency, done);
  return (
    <Page
      title="New customer"
      lead="Account, address, credits or plan, first API key and invitation in one step."
    >
      {isComplete ? (
        <CustomerMade of={made} />
      ) : (
        <Panel>
          <ChangeForm
            fields={fields}
            initial={INITIAL}
            submit="Make the customer"
            refusal={refusal}
            onSubmit={async (_body, values) => make(bodiesOf(fields, values))}
            onChange={(values) => setCurrency(String(values['account/currency']))}
            onDone={() => undefined}
            summary={(values) => <Effects of={values} />}
          >
            {done.size > 0 && <Made of={made} />}
          </ChangeForm>
        </Panel>
      )}
    </Page>
  );
}

const WORDS: Readonly<Record<Step, string>> = {
  account: 'the account is open',
  billing: 'the address is saved',
  grant: 'the credits are granted',
  key: 'the API key is made',
  member: 'the invitation is made',
};

function Made({ of }: { readonly of: Customer }) {
  const words = STEPS.filter((step) => of[step] !== undefined).map((step) => WORDS[step]);
  return (
    <Notice tone="warn" title="Not complete yet">
      Done: {words.join(', ')}. Correct the rest and go on: nothing is made twice.
    </Notice>
  );
}

/** Credits, money and mails that the form moves. */
function Effects({ of: values }: { readonly of: FormValues }) {
  const currency = String(values['account/currency']);
  const { pays, 'grant/credits': credits, 'grant/price': price } = values;
  const rate = typedTax(values)?.rate_percent;
  const tax = typeof rate === 'number' ? { rate_percent: rate } : undefined;
  const email = String(values['member/email'] ?? '').trim();
  return (
    <Notice title="What happens">
      {pays === 'prepaid' && typeof credits === 'number' && (
        <p>
          The balance starts at {formatNumber(credits)} credits.{' '}
          {typeof price === 'number' && price > 0 && (
            <>
              An invoice is issued immediately:{' '}
              <PriceTotal net={toMinor(price, currency)} currency={currency} tax={tax} />.
            </>
          )}
        </p>
      )}
      {pays === 'plan' && (
        <p>
          The fee of this month is due in full. Its invoice is issued on the first day of next
          month.
        </p>
      )}
      <p>
        One API key is made and shown once.{' '}
        {email === '' ? 'Nobody is invited.' : `${email} is invited as a manager of the portal.`}
      </p>
    </Notice>
  );
}
