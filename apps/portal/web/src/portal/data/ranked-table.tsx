import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber, formatShare } from '../../format/credits.js';
import type { RankedItem } from '../../rest/data-answers.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import css from './data.module.css';

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
      <SortedTable label={`Ranking of ${path}`} columns={COLUMNS} rows={items} limit={shown}>
        {(item) => (
          <tr key={item.rank}>
            <td className={numberCell}>{item.rank}</td>
            <td className={mainCell}>
              <ItemLink item={item} region={region} />
            </td>
            <td>
              <Popularity value={item.popularity} most={most} />
            </td>
            <td className={numberCell}>
              <ChangeArrow percent={item.yoy_percent_increase} />
            </td>
            <td className={numberCell}>
              <ChangeArrow percent={item.qoq_percent_increase} />
            </td>
            <td className={numberCell}>
              <ChangeArrow percent={item.mom_percent_increase} />
            </td>
            <td>
              <Shares item={item} />
            </td>
          </tr>
        )}
      </SortedTable>
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

const COLUMNS: readonly SortedColumn<RankedItem>[] = [
  { name: 'rank', label: 'Rank', isNumber: true, value: ({ rank }) => rank },
  { name: 'name', label: 'Name', value: nameOf },
  { name: 'popularity', label: 'Popularity', value: ({ popularity }) => popularity },
  { name: 'year', label: 'Year', isNumber: true, value: (item) => item.yoy_percent_increase },
  { name: 'quarter', label: 'Quarter', isNumber: true, value: (item) => item.qoq_percent_increase },
  { name: 'month', label: 'Month', isNumber: true, value: (item) => item.mom_percent_increase },
  { name: 'platforms', label: 'Platforms', value: (item) => item.google_share_percent },
];

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

const PLATFORMS = [
  { name: 'Google', member: 'google_share_percent', tone: 'google' },
  { name: 'TikTok', member: 'tiktok_share_percent', tone: 'tiktok' },
  { name: 'Instagram', member: 'instagram_share_percent', tone: 'instagram' },
] as const;

/** One bar in three parts; in words on hover, and for those who hear it. */
function Shares({ item }: { readonly item: RankedItem }) {
  const words = PLATFORMS.map(({ name, member }) => `${name} ${formatShare(item[member])}`);
  return (
    <span className={css.shares} role="img" aria-label={words.join(', ')} title={words.join(' · ')}>
      {PLATFORMS.map(({ member, tone }) => (
        <span
          key={member}
          data-platform={tone}
          style={{ width: `${(item[member] ?? 0) * 100}%` }}
        />
      ))}
    </span>
  );
}

function PlatformLegend() {
  return (
    <span className={css.legend}>
      {PLATFORMS.map(({ name, tone }) => (
        <span key={name}>
          <span className={css.swatch} data-platform={tone} /> {name}
        </span>
      ))}
    </span>
  );
}
