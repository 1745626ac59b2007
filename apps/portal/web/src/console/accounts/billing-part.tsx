import { taxWords } from '../../account/tax-words.js';
import type { Plan } from '#account/terms.js';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Loaded } from '../../ui/loaded.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { Facts } from '../../ui/facts.js';
import { valuesOf } from '../../form/fields.js';
import { FormButton } from '../../form/form-button.js';
import { partyFacts } from '../../account/party-facts.js';
import { BillingButton } from './billing-button.js';
import { changedMetadata, planFields, RATE_LIMIT, TERMS } from './account-fields.js';
import { admin } from '../admin.js';
import type { Account } from '../../rest/answers.js';
import { one } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';
import { ChangeButton } from '../../form/change-button.js';

interface PartProps {
  readonly account: Account;
}

/** Plan, limits and billing details of an account. */
export function BillingPart({ account }: PartProps) {
  return (
    <div className={css.columns}>
      <Terms account={account} />
      <PlanPanel account={account} />
      <BillingDetails account={account} />
    </div>
  );
}

function Terms({ account }: PartProps) {
  const change = useChange();
  const { id, overdraft_credits: overdraft, low_balance_credits: low, rate_limit: rate } = account;
  const patch = (body: unknown) => change(admin.changeAccount({ account_id: id }), body);
  return (
    <Panel
      title="Terms"
      aside={
        <div className={css.actions}>
          <FormButton
            label="Rate limit"
            title="Set a rate limit of its own"
            size="compact-sm"
            fields={RATE_LIMIT}
            initial={valuesOf(RATE_LIMIT, account)}
            submit="Save"
            onSubmit={patch}
          />
          <FormButton
            label="Change"
            title="Change the terms"
            size="compact-sm"
            fields={TERMS}
            initial={valuesOf(TERMS, account)}
            submit="Save"
            onSubmit={({ metadata, ...body }) =>
              patch({ ...body, metadata: changedMetadata(account.metadata ?? {}, metadata as {}) })
            }
          />
        </div>
      }
    >
      <Facts
        of={[
          ['Currency', account.currency],
          ['Overdraft', overdraft === null ? 'no limit' : formatNumber(overdraft)],
          ['Warn below', low === null ? 'never' : formatNumber(low)],
          [
            'Rate card',
            account.rate_card === null ? 'of each window' : `its own: ${account.rate_card}`,
          ],
          [
            'Rate limit',
            rate === null ? 'as all others' : `${rate.per_second}/s, bursts of ${rate.burst}`,
          ],
          ['Signed receipts', account.receipts ? 'with every metered answer' : 'where asked for'],
          ['External id', account.external_id ?? 'none'],
          ...Object.entries(account.metadata ?? {}).map(
            ([name, text]) => [`Metadata: ${name}`, text] as const,
          ),
        ]}
      />
    </Panel>
  );
}

function PlanPanel({ account }: PartProps) {
  const { id, plan, plan_next_month: next, currency } = account;
  const fields = planFields(currency);
  return (
    <Panel
      title="Plan"
      aside={
        <ChangeButton
          label={next === null ? 'Give it a plan' : 'Change'}
          title="Plan from the next month on"
          size="compact-sm"
          fields={fields}
          initial={valuesOf(fields, { plan: next ?? plan ?? { tax: { category: 'S' } } })}
          submit="Save"
          of={admin.changeAccount({ account_id: id })}
        />
      }
    >
      <div className={css.stack}>
        <PlanFacts plan={plan} currency={currency} />
        {JSON.stringify(plan) !== JSON.stringify(next) && (
          <>
            <p className={css.note}>From the next month on:</p>
            <PlanFacts plan={next} currency={currency} />
          </>
        )}
      </div>
    </Panel>
  );
}

interface PlanFactsProps {
  readonly plan: Plan | null;
  readonly currency: string;
}

function PlanFacts({ plan, currency }: PlanFactsProps) {
  if (plan === null) return <p>No plan: it pays for its credits beforehand.</p>;
  return (
    <Facts
      of={[
        ['Monthly fee', formatMoney(plan.monthly_fee, currency)],
        ['Included', `${formatNumber(plan.included_credits)} credits`],
        ['Per 1,000 beyond', formatMoney(plan.price_per_1000_credits, currency)],
        ['Tax', taxWords(plan.tax)],
      ]}
    />
  );
}

function BillingDetails({ account: { id } }: PartProps) {
  const details = useQuery(one(admin.getBillingDetails({ account_id: id })));
  return (
    <Panel title="Invoices are addressed to" aside={<BillingButton id={id} label="Change" />}>
      <Loaded of={details}>{(party) => <Facts of={partyFacts(party)} />}</Loaded>
    </Panel>
  );
}
