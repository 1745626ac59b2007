import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DisputeTable } from '../../account/dispute-table.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { portal } from '../../rest/portal.js';
import { pages } from '../../rest/reads.js';

const ID_LENGTH = 8;

/** Disputes of the account, with their answers. */
export function DisputesPage() {
  const disputes = useInfiniteQuery(pages(portal.listDisputes({ limit: 100 })));
  return (
    <Page
      title="Disputes"
      lead="Calls whose charge you have disputed, and the answers. A call is disputed where its price is explained."
    >
      <Panel flush>
        <Paged of={disputes} empty={<Empty title="Nothing is disputed" />}>
          {(items) => <DisputeTable items={items} callOf={callLink} />}
        </Paged>
      </Panel>
    </Page>
  );
}

function callLink(id: string) {
  return (
    <Link to="/calls" search={{ call: id }}>
      <code title={id}>{id.slice(0, ID_LENGTH)}</code>
    </Link>
  );
}
