import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { REFUSAL_REASONS, RefusalTable } from '../../account/refusal-table.js';
import form from '../../ui/form.module.css';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { ResourceName } from '../resource-name.js';
import { useKeyLabel } from '../use-key-label.js';
import type { RefusalCode } from '../../rest/answers.js';
import { refusalsQuery } from '../../rest/queries.js';

const route = getRouteApi('/refusals');
const REASONS = Object.entries(REFUSAL_REASONS).map(([value, label]) => ({ value, label }));

/** Calls that were refused, newest first, with their reason. */
export function RefusalsPage() {
  const search = route.useSearch();
  const code = REASONS.find(({ value }) => value === search.code)?.value ?? null;
  const navigate = route.useNavigate();
  const refusals = useInfiniteQuery(refusalsQuery(code as RefusalCode | null));
  return (
    <Page
      title="Refused calls"
      lead="Calls answered with 402, 403 or 429. They are free. The newest 1,000 rows are kept, one for each hour, API key, reason and URL."
    >
      <div className={form.toolbar}>
        <Select
          label="Reason"
          w={220}
          placeholder="Any"
          clearable
          data={REASONS}
          value={code}
          onChange={(next) => void navigate({ search: next ? { code: next } : {}, replace: true })}
          clearButtonProps={{ 'aria-label': 'Any reason' }}
        />
      </div>
      <Panel flush>
        <Paged of={refusals} empty={<Empty title="No call was refused" />}>
          {(items) => (
            <RefusalTable
              items={items}
              keyOf={({ api_key_id: id }) => <KeyLabel id={id} />}
              pathOf={(path) => <ResourceName path={path} />}
            />
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

function KeyLabel({ id }: { readonly id: string }) {
  return useKeyLabel(id);
}
