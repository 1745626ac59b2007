import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import css from '../console.module.css';
import { admin } from '../admin.js';
import type { Account } from '../../rest/answers.js';
import { one, pages } from '../../rest/reads.js';

interface ConsequencesProps {
  readonly account: Account;
}

/** The consequences of a suspension for the calls, credits and money of an account. */
export function SuspendConsequences({ account }: ConsequencesProps) {
  const { name, balance } = account;
  return (
    <div className={css.stack}>
      <p>
        <strong>Every call of {name ?? 'the account'} is refused from the next one on</strong>,
        until it is resumed. It can still be read.
      </p>
      <p>
        No credits and no money move: its balance of {formatCredits(balance)} stays. Grants expire
        and months are invoiced as before.
      </p>
    </div>
  );
}

/** The consequences of a close for the calls, credits and money of an account. */
export function CloseConsequences({ account }: ConsequencesProps) {
  const { id, name, balance, currency } = account;
  const grants = useInfiniteQuery(pages(admin.listGrants({ account_id: id })));
  const draft = useQuery(one(admin.getInvoiceDraft({ account_id: id }))).data;
  const items = grants.data?.pages.flatMap((page) => page.items) ?? [];
  const paid = items.reduce((sum, { refund = 0 }) => sum + refund, 0);
  const atLeast = grants.hasNextPage ? 'at least ' : '';
  return (
    <div className={css.stack}>
      <p>
        <strong>{name ?? 'The account'} makes no call any more from now on</strong>: its keys,
        portal sessions, members and webhooks end. This cannot be undone.
      </p>
      <p>
        No credits move. Its balance of {formatCredits(balance)}{' '}
        {balance > 0 ? 'can no longer be used, and stays until it expires.' : 'stays.'}
      </p>
      {paid > 0 && (
        <p>
          What was bought of them is worth {atLeast}
          {formatMoney(paid, currency)} net, which is not given back by this: void the grants for
          that, now or afterwards.
        </p>
      )}
      {draft !== undefined && (
        <p>
          {draft.total === 0
            ? 'Nothing is to be invoiced of the month so far.'
            : `The month so far, ${formatMoney(draft.total, draft.currency)} with tax, is invoiced when it ends.`}
        </p>
      )}
    </div>
  );
}
