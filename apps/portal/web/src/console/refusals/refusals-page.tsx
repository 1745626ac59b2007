import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefusalTable } from '../../account/refusal-table.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { AccountLink } from '../accounts/account-link.js';
import { KeyName } from '../accounts/key-name.js';
import { refusalsQuery } from '../queries.js';
import type { Account, RefusedCall } from '../../rest/answers.js';

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
            keyOf={keyLink}
            pathOf={(path) => <code>{path}</code>}
            {...(accountId === null && { accountOf: (call) => <AccountLink of={call} /> })}
          />
        )}
      </Paged>
    </Panel>
  );
}

/** Leads to the keys of its account. */
function keyLink(call: RefusedCall) {
  return (
    <Link to={`/accounts/${call.account_id}/keys` as string}>
      <KeyName of={call} />
    </Link>
  );
}
