import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { InvitationMade } from '../../account/members.js';
import { pathOf } from '../../format/resource-path.js';
import { formatMoney } from '../../format/money.js';
import type { Account, Category, GrantDetails, IssuedApiKey } from '../../rest/answers.js';
import { one } from '../../rest/reads.js';
import { CopyText } from '../../ui/copy-text.js';
import form from '../../ui/form.module.css';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { admin } from '../admin.js';
import { useConsoleSession } from '../console-session.js';
import { HeldInvoices } from '../invoices/held-notice.js';
import type { Customer } from './use-customer.js';

const POLL_MS = 1_000;

/** The new customer: its invoice or what holds it, the key with a first call, the invitation. */
export function CustomerMade({ of: { account, grant, key, member } }: { readonly of: Customer }) {
  if (account === undefined) return null;
  return (
    <>
      <Notice
        tone="good"
        title={
          <>
            <Link to={`/accounts/${account.id}` as string}>{account.name}</Link> is a customer
          </>
        }
      >
        {grant?.price ? <InvoiceOf grant={grant} account={account} /> : 'No invoice is due now.'}
      </Notice>
      <HeldInvoices accountId={account.id} />
      {key !== undefined && (
        <Panel title="API key and first call">
          <div className={form.form}>
            <FirstKey apiKey={key} account={account} />
          </div>
        </Panel>
      )}
      {member !== undefined && (
        <Panel title="Invitation to the portal">
          <InvitationMade of={member} />
        </Panel>
      )}
    </>
  );
}

interface InvoiceOfProps {
  readonly grant: GrantDetails;
  readonly account: Account;
}

function InvoiceOf({ grant, account }: InvoiceOfProps) {
  const { data } = useQuery({
    ...one(admin.getInvoice({ number: grant.invoice_id ?? '' })),
    enabled: grant.invoice_id !== null,
    retry: true,
    refetchInterval: ({ state }) =>
      state.data?.number || state.data?.state?.status === 'held' ? false : POLL_MS,
  });
  if (grant.invoice_id === null) return 'The credits stand on the invoice of this month.';
  if (data?.state?.status === 'held') return 'Its invoice is held:';
  if (!data?.number) return 'Its invoice is being issued.';
  return (
    <>
      Invoice <Link to={`/invoices/${data.number}` as string}>{data.number}</Link> over{' '}
      {formatMoney(data.total, account.currency)} is issued.
    </>
  );
}

interface FirstKeyProps {
  readonly apiKey: IssuedApiKey;
  readonly account: Account;
}

function FirstKey({ apiKey: { key, last_four: end }, account }: FirstKeyProps) {
  const { base_url: api, regions } = useConsoleSession();
  const catalog = admin.listCatalog({ account_id: account.id, level: 'cat1', limit: 1 });
  const { data } = useQuery(one(catalog));
  if (key === undefined) {
    return (
      <p>
        The key that ends with {end} was made, and its answer was lost. Revoke it and make another
        one on the page of the account.
      </p>
    );
  }
  const [category] = (data?.items ?? []) as readonly Category[];
  return (
    <>
      <p>The key is shown only now. If you lose it, make a new one.</p>
      <CopyText value={key} what="API key" />
      {category !== undefined && (
        <>
          <p>The first call, ready to paste:</p>
          <CopyText
            value={firstCall(api, key, category.slug, regions.at(-1) ?? '')}
            what="first call"
          />
        </>
      )}
    </>
  );
}

/** A command line that makes a cheap call. */
function firstCall(api: string, key: string, category: string, region: string): string {
  const path = pathOf({
    resource: 'trends',
    level: 'cat1',
    limit: 'top5',
    region,
    category,
  });
  return `curl -i -H 'Authorization: Bearer ${key}' '${api}${path}'`;
}
