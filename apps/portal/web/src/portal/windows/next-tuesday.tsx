import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { formatCount, formatCredits } from '../../format/credits.js';
import { asLatest } from '#rating/key-parts.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { useWorth } from '../credit-price.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import css from './strip.module.css';
import type { QuotedUrl } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { quoteQuery } from '../../rest/queries.js';
import { pages } from '../../rest/reads.js';
import { number, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const URLS_MAX = 1000;

/** The URLs of the running window: named past weeks cost the same in every window. */
function useWindowUrls() {
  const { window } = useAccount();
  const keys = useInfiniteQuery(pages(portal.listWindows({ window, limit: 200 })));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = keys;
  const items = keys.data?.pages.flatMap((page) => page.items);
  const count = items?.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && count < URLS_MAX) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, count]);
  const urls = (items ?? [])
    .filter(({ key }) => key.includes(`/${window}/`))
    .map(({ key }) => asLatest(key))
    .slice(0, URLS_MAX);
  return { keys, urls, isWhole: !hasNextPage };
}

/**
 * The cost that is expected of the next Tuesday, as the overview states it, and that of calling
 * this week's URLs again: early in a week these are few.
 */
export function NextTuesday() {
  const { window_ends_at: endsAt, forecast } = useAccount();
  const worth = useWorth();
  const { keys, urls, isWhole } = useWindowUrls();
  const quote = useQuery(quoteQuery(isWhole || urls.length >= URLS_MAX ? urls : []));
  const quoted = (quote.data?.items ?? []).filter((item): item is QuotedUrl => 'key' in item);
  const total = quoted.reduce((sum, item) => sum + item.next_window_credits, 0);
  return (
    <Panel
      flush
      title="Next Tuesday"
      aside={
        <>
          from <Moment at={endsAt} />
        </>
      }
    >
      <div className={css.sum}>
        <strong>{formatCredits(forecast.next_window_credits)}</strong>
        <span>
          {before(worth(forecast.next_window_credits))}expected for first calls, if you go on as in
          the last weeks
        </span>
      </div>
      {keys.data !== undefined && urls.length === 0 ? (
        <Empty title="Nothing was called this week yet" />
      ) : (
        <Loaded of={quote} rows={3}>
          {() => <Prices quoted={quoted} total={total} />}
        </Loaded>
      )}
    </Panel>
  );
}

function before(worth: string | undefined): string {
  return worth === undefined ? '' : `${worth} before tax, `;
}

interface PricesProps {
  readonly quoted: readonly QuotedUrl[];
  readonly total: number;
}

/** The sum; the single prices, dearest first, for who wants them. */
function Prices({ quoted, total }: PricesProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <div className={css.sum}>
        <strong>{formatCredits(total)}</strong>
        <span>
          {before(useWorth()(total))}for the {formatCount(quoted.length, 'URL')} that you called in
          this week so far
        </span>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide them' : 'Show them'}
        </Button>
      </div>
      {isOpen && (
        <DataTable
          label="Prices next Tuesday"
          columns={COLUMNS}
          rows={quoted}
          keyOf={({ key }) => key}
          initial="-Credits"
        />
      )}
    </>
  );
}

const COLUMNS: Columns<QuotedUrl> = [
  {
    label: 'URL',
    kind: 'main',
    sort: ({ key }) => key,
    cell: ({ key }) => <ResourceName path={key} />,
  },
  text('Rule', ({ rule }) => rule),
  number('Credits', (item) => item.next_window_credits),
];
