import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CostCells, TagsCell, TimeCell, TimeHead } from '../../account/calls/call-cells.js';
import { CallFilters } from '../../account/calls/call-filters.js';
import { CallList } from '../../account/calls/call-list.js';
import {
  filterOf,
  inOrder,
  readCallsSearch,
  timeOrder,
  withMoments,
  type CallsSearch,
} from '../../account/calls/calls-search.js';
import css from '../../account/calls/calls.module.css';
import { ResourceWords } from '../../account/resource-words.js';
import { useCatalogNames } from './use-catalog-names.js';
import { useBillingZone } from '../../ui/zones.js';
import { AccountLink } from '../accounts/account-link.js';
import { AccountPicker } from '../accounts/account-picker.js';
import { KeyName } from '../accounts/key-name.js';
import { CallDrawer } from './call-drawer.js';
import { admin } from '../admin.js';
import type { CallFilter } from '../../rest/queries.js';
import type { AccountCall } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';

const REFRESH_MS = 10_000;

interface CallsViewProps {
  /** Null: those of all accounts, or of one that is asked for. */
  readonly accountId: string | null;
}

/** The calls that are listed, the keys of their account, and the names of what was asked for. */
function useListed(
  asked: Parameters<typeof admin.listAllCalls>[0] & { readonly account_id?: string },
  isFiltered: boolean,
) {
  const calls = useInfiniteQuery({
    ...pages(admin.listAllCalls({ order: 'desc', limit: 200, ...asked })),
    // A filter that few calls meet looks at many of them: it is not asked again and again.
    refetchInterval: isFiltered ? false : REFRESH_MS,
  });
  const { account_id: account } = asked;
  const keys = useInfiniteQuery({
    ...pages(admin.listApiKeys({ account_id: account ?? '' })),
    enabled: account !== undefined,
  });
  const nameOf = useCatalogNames(account ?? calls.data?.pages[0]?.items[0]?.account_id);
  return { calls, keys, nameOf };
}

/** Calls with every filter, kept in the address, and the explanation of the one that is opened. */
export function CallsView({ accountId }: CallsViewProps) {
  const { call: explained = null, ...listed } = readCallsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const filter = filterOf(listed);
  const { order } = timeOrder(listed);
  const account_id = accountId ?? filter.account_id;
  const ofAccount = account_id === undefined ? {} : { account_id };
  const zone = useBillingZone();
  const asked = withMoments<CallFilter>({ ...filter, ...timeOrder(listed), ...ofAccount }, zone);
  const isFiltered = Object.keys(filter).length > 0;
  const { calls, keys, nameOf } = useListed(asked, isFiltered);
  const show = (next: CallsSearch, replace = false) =>
    void navigate({ to: '.', search: next as never, replace });
  const open = (call: string) => show({ ...listed, call });
  const change = (changed: CallsSearch) => show({ ...changed, ...(order && { order }) }, true);
  return (
    <>
      <CallFilters
        filter={filter}
        onChange={change}
        {...(keys.data && { apiKeys: keys.data.pages.flatMap((page) => page.items) })}
      >
        {accountId === null && (
          <AccountPicker
            value={filter.account_id ?? null}
            onChange={(id) => {
              const { account_id: _before, api_key_id: _key, ...others } = filter;
              change(id === null ? others : { ...others, account_id: id });
            }}
          />
        )}
      </CallFilters>
      <div className={css.panel}>
        <CallList
          of={calls}
          order={order}
          isFiltered={isFiltered}
          columns={{
            count: accountId === null ? COLUMNS.length + 1 : COLUMNS.length,
            head: (
              <CallHeads
                withAccount={accountId === null}
                time={
                  <TimeHead
                    order={order ?? null}
                    onSort={() => show(inOrder(listed, 'asc'), true)}
                  />
                }
              />
            ),
            row: (call, row) => (
              <CallRow
                call={call}
                row={row}
                onOpen={open}
                withAccount={accountId === null}
                nameOf={nameOf}
              />
            ),
          }}
        />
      </div>
      <CallDrawer callId={explained} onClose={() => show(listed)} onOpen={open} />
    </>
  );
}

const COLUMNS = [
  'Account',
  'What was asked for',
  'Kind',
  'Credits',
  'Balance after',
  'API key',
  'Tags',
];

interface CallHeadsProps {
  readonly withAccount: boolean;
  /** The first one. */
  readonly time: ReactNode;
}

function CallHeads({ withAccount, time }: CallHeadsProps) {
  return (
    <tr>
      {time}
      {COLUMNS.filter((name) => withAccount || name !== 'Account').map((name) => (
        <th
          key={name}
          scope="col"
          {...((name === 'Credits' || name === 'Balance after') && { className: css.number })}
        >
          {name}
        </th>
      ))}
    </tr>
  );
}

interface CallRowProps {
  readonly call: AccountCall;
  readonly row: number;
  readonly onOpen: (callId: string) => void;
  readonly withAccount: boolean;
  readonly nameOf: (item: string) => string | undefined;
}

function CallRow({ call, row, onOpen, withAccount, nameOf }: CallRowProps) {
  return (
    <tr className={css.row} aria-rowindex={row + 2} onClick={() => onOpen(call.call_id)}>
      <TimeCell call={call} />
      {withAccount && (
        <td>
          <AccountLink of={call} onClick={(event) => event.stopPropagation()} />
        </td>
      )}
      <td className={css.main}>
        <ResourceWords path={call.key} nameOf={nameOf} withWindow />
      </td>
      <CostCells call={call} />
      <td className={css.soft}>
        <KeyName of={call} />
      </td>
      <TagsCell call={call} />
    </tr>
  );
}
