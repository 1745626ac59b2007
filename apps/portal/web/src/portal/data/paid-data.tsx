import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCredits } from '../../format/credits.js';
import { problemOf } from '../../rest/problem.js';
import { Loading } from '../../ui/loaded.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { useWorth } from '../credit-price.js';
import { useCanManage } from '../session.js';
import css from './data.module.css';
import type { Pulled, SoldData } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { send } from '../../rest/request.js';
import { viewQuery, type Look, type ShownView } from '../../rest/queries.js';
import { RESOURCES } from '#rating/resource.js';
import { resourceOfPath } from '#rating/resource-path.js';
import { RankedTable } from './ranked-table.js';
import { SeriesView } from './series-view.js';

function viewOf({ headers, body }: Pulled): ShownView {
  return {
    key: String(body['key']),
    window: headers['Credits-Window'] ?? '',
    release: headers['Data-Release'] ?? '',
    through: headers['Data-Through'] ?? '',
    unchanged_since: headers['Data-Unchanged-Since'] ?? null,
    data: body['data'] as SoldData,
  };
}

/** Pulls a path, at most at the price that is shown, and shows at once what it answered. */
function usePull(path: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credits: number) => send(portal.pull(), { path, credits_max: credits }),
    onSuccess: (answer) => {
      const look: Look = { paid: true, view: viewOf(answer) };
      client.setQueryData(viewQuery(path).queryKey, look);
      for (const topic of ['account', 'usage', 'windows', 'budgets', 'quotes']) {
        void client.invalidateQueries({ queryKey: [topic] });
      }
    },
  });
}

/** The data of a path: free where this window has paid for it, else its price and a button. */
export function PaidData({ path }: { readonly path: string }) {
  const look = useQuery(viewQuery(path));
  const pulled = usePull(path);
  if (look.data === undefined) {
    if (!look.isError) return <Loading rows={6} />;
    return <NoData error={look.error} onRetry={() => void look.refetch()} />;
  }
  if (!look.data.paid) {
    return (
      <Price
        credits={look.data.credits}
        isPulling={pulled.isPending}
        error={pulled.error}
        onPull={pulled.mutate}
      />
    );
  }
  const { view } = look.data;
  return (
    <>
      <SoldDataView data={view.data} path={path} />
      <p className={css.source}>
        Release {view.release}, data through {view.through.slice(0, 7)}. Paid for in window{' '}
        {view.window}: looking is free.
        {pulled.data && <PaidBy pulled={pulled.data} />}
      </p>
    </>
  );
}

function PaidBy({ pulled }: { readonly pulled: Pulled }) {
  return (
    <>
      {' '}
      This call cost {formatCredits(Number(pulled.body['credits_used']))}:{' '}
      <Link to="/calls" search={{ call: pulled.call_id }}>
        <code>{pulled.call_id}</code>
      </Link>
    </>
  );
}

interface NoDataProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

function NoData({ error, onRetry }: NoDataProps) {
  const { status, title, detail } = problemOf(error);
  if (status === 404) return <Empty title={title}>{detail}</Empty>;
  return (
    <div className={css.inset}>
      <ProblemNotice error={error} onRetry={onRetry} />
    </div>
  );
}

interface PriceProps {
  readonly credits: number;
  readonly isPulling: boolean;
  readonly error: unknown;
  readonly onPull: (credits: number) => void;
}

function Price({ credits, isPulling, error, onPull }: PriceProps) {
  const canManage = useCanManage();
  const worth = useWorth()(credits);
  return (
    <div className={css.price}>
      <p className={css.amount}>{formatCredits(credits)}</p>
      {worth !== undefined && <p className={css.hint}>{worth} before tax</p>}
      <p className={css.hint}>
        Not paid for in this window yet. After this call a repeat costs only the call, and looking
        here is free.
      </p>
      {canManage ? (
        <>
          <Button loading={isPulling} onClick={() => onPull(credits)}>
            Pull for {formatCredits(credits)}
          </Button>
          <p className={css.hint}>
            Pulls are made with the API key “Portal” of this account. The first pull makes that key.
          </p>
        </>
      ) : (
        <p className={css.hint}>A manager can pull it.</p>
      )}
      {error !== null && error !== undefined && <ProblemNotice error={error} />}
    </div>
  );
}

interface SoldDataViewProps {
  readonly data: SoldData;
  readonly path: string;
}

/** A ranked table, or a time series: whatever the path sells. */
function SoldDataView({ data, path }: SoldDataViewProps) {
  const resource = resourceOfPath(path);
  const list = resource && RESOURCES[resource.resource].list;
  if (list === 'timeseries' && data.timeseries) return <SeriesView points={data.timeseries} />;
  const ranked = list === undefined || list === 'timeseries' ? undefined : data[list];
  if (ranked === undefined) return <Empty title="Nothing to show" />;
  return <RankedTable items={ranked} region={resource?.region ?? 'us'} path={path} />;
}
