import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { shareOf, sourceLabel, SOURCES } from '#popularity/sources.js';
import { formatNumber, formatShare } from '../../format/credits.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import css from './data.module.css';
import type { RankedItem } from '../../rest/answers.js';
import { number } from '../../ui/columns.js';
import { DataTable, type Column, type Columns } from '../../ui/data-table.js';

const SHOWN_AT_FIRST = 50;

interface RankedTableProps {
  readonly items: readonly RankedItem[];
  readonly region: string;
  readonly path: string;
}

/** Trends or brands by popularity, with their changes and where their volume comes from. */
export function RankedTable({ items, region, path }: RankedTableProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const most = Math.max(1, ...items.map((item) => item.popularity));
  return (
    <>
      <DataTable
        label={`Ranking of ${path}`}
        columns={columnsOf(region, most)}
        rows={items}
        keyOf={({ rank }) => rank}
        limit={shown}
      />
      <div className={css.below}>
        <PlatformLegend />
        <span className={css.legend}>
          Changes of the latest 12 months, quarter and month, each against the one before
        </span>
        {items.length > shown && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => setShown(shown + SHOWN_AT_FIRST * 4)}
          >
            Show more of {formatNumber(items.length)}
          </Button>
        )}
      </div>
    </>
  );
}

function columnsOf(region: string, most: number): Columns<RankedItem> {
  return [
    number('Rank', ({ rank }) => rank),
    {
      label: 'Name',
      kind: 'main',
      sort: nameOf,
      cell: (item) => <ItemLink item={item} region={region} />,
    },
    {
      label: 'Popularity',
      sort: ({ popularity }) => popularity,
      cell: ({ popularity }) => <Popularity value={popularity} most={most} />,
    },
    change('Year', (item) => item.yoy_percent_increase),
    change('Quarter', (item) => item.qoq_percent_increase),
    change('Month', (item) => item.mom_percent_increase),
    {
      label: 'Platforms',
      sort: (item) => item[shareOf(SOURCES[0] ?? '')] ?? null,
      cell: (item) => <Shares item={item} />,
    },
  ];
}

function change(label: string, sort: (item: RankedItem) => number | null): Column<RankedItem> {
  return { label, kind: 'number', sort, cell: (item) => <ChangeArrow percent={sort(item)} /> };
}

function nameOf(item: RankedItem): string | undefined {
  return item.brand_label ?? item.cat5_label ?? item.related_trend_label;
}

function ItemLink({ item, region }: { readonly item: RankedItem; readonly region: string }) {
  const search = { country: region };
  if (item.brand_id !== undefined) {
    return (
      <Link to="/dashboard/brands/$id" params={{ id: item.brand_id }} search={search}>
        {item.brand_label}
      </Link>
    );
  }
  const id = item.cat5_id ?? item.related_trend_id ?? '';
  return (
    <>
      <Link to="/dashboard/categories/$id" params={{ id }} search={search}>
        {item.cat5_label ?? item.related_trend_label}
      </Link>
      {item.life_cycle && <span className={css.cycle}> {item.life_cycle}</span>}
    </>
  );
}

function Popularity({ value, most }: { readonly value: number; readonly most: number }) {
  return (
    <span className={css.popularity}>
      <span className={css.track}>
        <span className={css.fill} style={{ width: `${(value / most) * 100}%` }} />
      </span>
      {formatNumber(Math.round(value))}
    </span>
  );
}

/** One bar in three parts; in words on hover, and for those who hear it. */
function Shares({ item }: { readonly item: RankedItem }) {
  const words = SOURCES.map(
    (source) => `${sourceLabel(source)} ${formatShare(item[shareOf(source)] ?? null)}`,
  );
  return (
    <span className={css.shares} role="img" aria-label={words.join(', ')} title={words.join(' · ')}>
      {SOURCES.map((source, at) => (
        <span
          key={source}
          data-source={at}
          style={{ width: `${(item[shareOf(source)] ?? 0) * 100}%` }}
        />
      ))}
    </span>
  );
}

function PlatformLegend() {
  return (
    <span className={css.legend}>
      {SOURCES.map((source, at) => (
        <span key={source}>
          <span className={css.swatch} data-source={at} /> {sourceLabel(source)}
        </span>
      ))}
    </span>
  );
}
