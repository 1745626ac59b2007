import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CallFilters } from '../../account/calls/call-filters.js';
import { CallList } from '../../account/calls/call-list.js';
import { filterOf, withMoments, type CallsSearch } from '../../account/calls/calls-search.js';
import css from '../../account/calls/calls.module.css';
import { formatNumber } from '../../format/credits.js';
import { formatExact, momentHint } from '../../format/moments.js';
import { ResourceWords } from '../../account/resource-words.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { Typed } from '../../ui/typed.js';
import { useBillingZone, useZones } from '../../ui/zones.js';
import type { AccountCall } from '../rest/admin-answers.js';
import { apiKeysQuery, callsQuery } from '../rest/admin-queries.js';
import { CallDrawer } from './call-drawer.js';

const REFRESH_MS = 10_000;
const ID_LENGTH = 8;

interface CallsViewProps {
  /** Null: those of all accounts, or of one that is asked for. */
  readonly accountId: string | null;
}

/** Calls with every filter, kept in the address, and the explanation of the one that is opened. */
export function CallsView({ accountId }: CallsViewProps) {
  const search = useSearch({ strict: false }) as CallsSearch;
  const navigate = useNavigate();
  const filter = filterOf(search);
  const asked = withMoments(
    { ...filter, ...(accountId !== null && { account_id: accountId }) },
    useBillingZone(),
  );
  const isFiltered = Object.keys(filter).length > 0;
  // A filter that few calls meet looks at many of them: it is not asked again and again.
  const refetchInterval = isFiltered ? false : REFRESH_MS;
  const calls = useInfiniteQuery({ ...callsQuery(asked), refetchInterval });
  const { account_id: account } = asked;
  const keys = useInfiniteQuery({ ...apiKeysQuery(account ?? ''), enabled: account !== undefined });
  const show = (next: CallsSearch, replace = false) =>
    void navigate({ to: '.', search: next as never, replace });
  const open = (call: string) => show({ ...filter, call });
  return (
    <>
      <CallFilters
        filter={filter}
        onChange={(changed) => show(changed, true)}
        {...(keys.data && { apiKeys: keys.data.pages.flatMap((page) => page.items) })}
      >
        {accountId === null && (
          <Typed
            label="Account"
            placeholder="Its id"
            value={filter.account_id ?? ''}
            width={150}
            onChange={(id) => {
              const { account_id: _before, api_key_id: _key, ...others } = filter;
              show(id === '' ? others : { ...others, account_id: id }, true);
            }}
          />
        )}
      </CallFilters>
      <div className={css.panel}>
        <CallList
          of={calls}
          isFiltered={isFiltered}
          columns={{
            count: accountId === null ? COLUMNS.length : COLUMNS.length - 1,
            head: <CallHeads withAccount={accountId === null} />,
            row: (call, row) => (
              <CallRow call={call} row={row} onOpen={open} withAccount={accountId === null} />
            ),
          }}
        />
      </div>
      <CallDrawer callId={search.call ?? null} onClose={() => show(filter)} onOpen={open} />
    </>
  );
}

const COLUMNS = [
  'Time',
  'Account',
  'What was asked for',
  'Kind',
  'Credits',
  'Balance after',
  'API key',
  'Tags',
];

function CallHeads({ withAccount }: { readonly withAccount: boolean }) {
  return (
    <tr>
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
}

function CallRow({ call, row, onOpen, withAccount }: CallRowProps) {
  const { shown, other } = useZones();
  const { account_id: account, account_name: name } = call;
  return (
    <tr className={css.row} aria-rowindex={row + 2} onClick={() => onOpen(call.call_id)}>
      <td>
        <button type="button" className={css.open}>
          <time dateTime={call.at} title={momentHint(call.at, other ?? shown)}>
            {formatExact(call.at, shown)}
          </time>
        </button>
      </td>
      {withAccount && (
        <td>
          <Link
            to={`/accounts/${account}` as string}
            onClick={(event) => event.stopPropagation()}
            title={account}
          >
            {name ?? account.slice(0, ID_LENGTH)}
          </Link>
        </td>
      )}
      <td className={css.main}>
        <ResourceWords path={call.key} nameOf={() => undefined} withWindow />
      </td>
      <td>
        <KindPill kind={call.kind} />
      </td>
      <td className={css.number}>{formatNumber(call.credits_used)}</td>
      <td className={css.number}>{formatNumber(call.balance_after)}</td>
      <td className={css.soft} title={call.api_key_id}>
        {call.api_key_id.slice(0, ID_LENGTH)}
      </td>
      <td>
        <div className={css.tags}>
          {Object.entries(call.tags ?? {}).map(([tag, value]) => (
            <Pill key={tag}>
              {tag}={value}
            </Pill>
          ))}
        </div>
      </td>
    </tr>
  );
}
