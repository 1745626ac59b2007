import { useInfiniteQuery } from '@tanstack/react-query';
import type { Account } from '../../rest/answers.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { auditQuery } from '../rest/admin-queries.js';
import { Timeline } from '../system/timeline.js';

/** Everything that was changed about an account, newest first. Calls have a part of their own. */
export function StoryPart({ account }: { readonly account: Account }) {
  const entries = useInfiniteQuery(auditQuery({ account_id: account.id }));
  return (
    <Panel flush title="What happened" aside="newest first; who, when and why">
      <Paged of={entries} empty={<Empty title="Nothing yet" />}>
        {(items) => <Timeline entries={items} currency={account.currency} />}
      </Paged>
    </Panel>
  );
}
