import { Button, Checkbox, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addDays, dayOf } from '../../format/days.js';
import { useBillingZone, useDaysOf } from '../../ui/zones.js';
import { Icon } from '../../ui/icon.js';
import form from '../../ui/form.module.css';
import { Typed } from '../../ui/typed.js';
import { useAccount } from '../session.js';
import { UsageFilters } from './usage-filters.js';
import {
  dimensionName,
  DIMENSIONS,
  isTag,
  tagNameOf,
  writeOnly,
  type Narrowing,
  type UsageSearch,
} from './usage-search.js';
import { useValueName } from './value-names.js';
import css from './usage.module.css';
import type { Dimension } from '../../rest/answers.js';
import { useQuery } from '@tanstack/react-query';
import type { TagDimension } from './usage-search.js';
import { usageQuery } from '../../rest/queries.js';

interface UsageControlsProps {
  readonly asked: {
    readonly search: UsageSearch;
    readonly from: string;
    readonly to: string;
    readonly by: readonly Dimension[];
    readonly only: readonly Narrowing[];
  };
  readonly onChange: (change: UsageSearch) => void;
}

const DIMENSIONS_MAX = 3;

/** Range, grouping, filters, search and comparison: all of it stands in the address. */
export function UsageControls({ asked, onChange }: UsageControlsProps) {
  const { search, from, to, only } = asked;
  return (
    <div className={css.controls}>
      <div className={form.toolbar}>
        <Ranges from={from} to={to} onChange={onChange} />
        <Grouping asked={asked} onChange={onChange} />
      </div>
      <div className={form.toolbar}>
        <UsageFilters only={only} onChange={onChange} />
        <Typed
          label="Search the rows"
          placeholder="keratin"
          value={search.q ?? ''}
          width={180}
          onChange={(q) => onChange({ q })}
        />
        <Checkbox
          className={css.compare}
          label="Beside the span before"
          checked={search.compare === 'before'}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ compare: checked ? 'before' : '' })
          }
        />
      </div>
      {only.length > 0 && <Narrowed only={only} onChange={onChange} />}
    </div>
  );
}

/** The dimensions of the sums; between tags that calls of the range have one switches. */
function Grouping({ asked: { from, to, by, only }, onChange }: UsageControlsProps) {
  const [isOpened, setIsOpened] = useState(false);
  const asked = [...by, ...only.map(({ dimension }) => dimension)];
  const tags = useTagDimensions(from, to, asked, isOpened);
  const group = (dimensions: readonly string[]) =>
    onChange({ by: dimensions.length === 0 ? 'day' : dimensions.join(','), sort: '' });
  const shown = by.filter((dimension) => dimension === 'tags' || isTag(dimension));
  const [switched] = shown;
  return (
    <>
      <MultiSelect
        label="Group by"
        w={320}
        data={[...DIMENSIONS, ...tags].map((value) => ({ value, label: dimensionName(value) }))}
        value={[...by]}
        maxValues={DIMENSIONS_MAX}
        onDropdownOpen={() => setIsOpened(true)}
        onChange={group}
      />
      {switched !== undefined && shown.length === 1 && tags.length > 0 && (
        <SegmentedControl
          aria-label="Tag"
          className={css.tags}
          data={[
            ...tags.map((value) => ({ value, label: `By ${tagNameOf(value)}` })),
            { value: 'tags', label: 'All tags' },
          ]}
          value={switched}
          onChange={(next) => group(by.map((each) => (each === switched ? next : each)))}
        />
      )}
    </>
  );
}

interface RangesProps extends Pick<UsageControlsProps, 'onChange'> {
  readonly from: string;
  readonly to: string;
}

const PRESETS: readonly { readonly days: number; readonly label: string }[] = [
  { days: 7, label: '7 days' },
  { days: 28, label: '4 weeks' },
  { days: 91, label: '13 weeks' },
];

function Ranges({ from, to, onChange }: RangesProps) {
  const zone = useDaysOf();
  const tomorrow = addDays(dayOf(useAccount().now, useBillingZone()), 1);
  const chosen = PRESETS.find(({ days }) => to === tomorrow && from === addDays(to, -days));
  return (
    <>
      <SegmentedControl
        aria-label="Range"
        data={PRESETS.map(({ days, label }) => ({ value: String(days), label }))}
        value={chosen === undefined ? '' : String(chosen.days)}
        onChange={(days) => onChange({ from: addDays(tomorrow, -Number(days)), to: tomorrow })}
      />
      <TextInput
        type="date"
        label={`From${zone}`}
        w={150}
        value={from}
        max={addDays(to, -1)}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ from: value })}
      />
      <TextInput
        type="date"
        label={`To${zone}`}
        w={150}
        value={addDays(to, -1)}
        min={from}
        onChange={({ currentTarget: { value } }) =>
          value !== '' && onChange({ to: addDays(value, 1) })
        }
      />
    </>
  );
}

interface NarrowedProps extends Pick<UsageControlsProps, 'onChange'> {
  readonly only: readonly Narrowing[];
}

/** The filters of the sums; each can be removed. */
function Narrowed({ only, onChange }: NarrowedProps) {
  const nameOf = useValueName();
  return (
    <div className={css.narrowed}>
      {only.map((each) => (
        <Button
          key={each.dimension}
          size="compact-sm"
          variant="light"
          rightSection={<Icon name="close" size={12} />}
          aria-label={`Remove ${dimensionName(each.dimension)} ${each.value}`}
          onClick={() => onChange({ only: writeOnly(only.filter((other) => other !== each)) })}
        >
          {dimensionName(each.dimension)}: {nameOf(each.dimension, each.value)}
        </Button>
      ))}
    </div>
  );
}

/**
 * Each tag that calls of a range have, and those that are asked for, in the order of their names.
 * They are read from the calls, so only where they are wanted.
 */
function useTagDimensions(
  from: string,
  to: string,
  asked: readonly Dimension[],
  isWanted: boolean,
): readonly TagDimension[] {
  const isAsked = asked.some((dimension) => dimension === 'tags' || isTag(dimension));
  const { data } = useQuery({
    ...usageQuery(['tags'], from, to),
    enabled: isWanted || isAsked,
  });
  const names = (data?.items ?? []).flatMap(({ tags }) => Object.keys(tags ?? {}));
  const found = names.map((name): TagDimension => `tag:${name}`);
  return [...new Set([...found, ...asked.filter(isTag)])].toSorted();
}
