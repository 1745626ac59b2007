import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefusalTable } from '../../account/refusal-table.js';
import type { Account } from '../../rest/answers.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { refusalsQuery } from '../rest/admin-queries.js';

const ID_LENGTH = 8;

function shortId(id: string) {
  return <code title={id}>{id.slice(0, ID_LENGTH)}</code>;
}

/** Refused calls of all accounts, newest first. */
export function RefusalsPage() {
  return (
    <Page
      title="Refused calls"
      lead="Answered with 402, 403 or 429; the newest 1,000 rows of each account."
    >
      <RefusalList accountId={null} />
    </Page>
  );
}

/** Those of one account. */
export function RefusalsPart({ account }: { readonly account: Account }) {
  return <RefusalList accountId={account.id} />;
}

function RefusalList({ accountId }: { readonly accountId: string | null }) {
  const refusals = useInfiniteQuery(refusalsQuery(accountId));
  return (
    <Panel flush title="Refused" aside="newest first">
      <Paged of={refusals} empty={<Empty title="No call was refused" />}>
        {(items) => (
          <RefusalTable
            items={items}
            keyOf={shortId}
            pathOf={(path) => <code>{path}</code>}
            {...(accountId === null && { accountOf: accountLink })}
          />
        )}
      </Paged>
    </Panel>
  );
}

function accountLink(id: string) {
  return <Link to={`/accounts/${id}` as string}>{shortId(id)}</Link>;
}
