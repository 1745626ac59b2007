import { Button, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { addDays, dayOf } from '../../format/days.js';
import { useBillingZone, useDaysOf } from '../../ui/zones.js';
import { Icon } from '../../ui/icon.js';
import form from '../../ui/form.module.css';
import { Typed } from '../../ui/typed.js';
import { useAccount } from '../session.js';
import { UsageFilters } from './usage-filters.js';
import { presetsOf } from './usage-presets.js';
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

/** Range, grouping, filters and comparison: all of it stands in the address. */
export function UsageControls({ asked, onChange }: UsageControlsProps) {
  const { search, from, to, only } = asked;
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = only.length + Number(search.q !== undefined);
  return (
    <div className={css.controls}>
      <div className={form.toolbar}>
        <Ranges from={from} to={to} onChange={onChange} />
        <Grouping asked={asked} onChange={onChange} />
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={15} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {count === 0 ? 'Filter' : `Filter (${count})`}
        </Button>
      </div>
      {isOpen && (
        <div className={form.toolbar} role="search" aria-label="Filter the sums">
          <Typed
            label="Rows with the text"
            placeholder="keratin"
            value={search.q ?? ''}
            width={160}
            onChange={(q) => onChange({ q })}
          />
          <UsageFilters only={only} onChange={onChange} />
        </div>
      )}
      {count > 0 && <Chips only={only} text={search.q} onChange={onChange} />}
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
        w={240}
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

/** The usual ranges, or any other; both days count. */
function Ranges({ from, to, onChange }: RangesProps) {
  const zone = useDaysOf();
  const presets = presetsOf(dayOf(useAccount().now, useBillingZone()));
  const chosen = presets.find((preset) => preset.to === to && preset.from === from);
  const choose = (label: string) => {
    const preset = presets.find((one) => one.label === label);
    if (preset !== undefined) onChange({ from: preset.from, to: preset.to });
  };
  return (
    <>
      <SegmentedControl
        aria-label="Range"
        className={css.tags}
        data={presets.map(({ label }) => label)}
        value={chosen?.label ?? ''}
        onChange={choose}
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

interface ChipsProps extends Pick<UsageControlsProps, 'onChange'> {
  readonly only: readonly Narrowing[];
  readonly text: string | undefined;
}

/** The filters of the sums; each can be removed. */
function Chips({ only, text, onChange }: ChipsProps) {
  const nameOf = useValueName();
  return (
    <div className={css.narrowed}>
      {text !== undefined && <Chip name="Text" value={text} onRemove={() => onChange({ q: '' })} />}
      {only.map((each) => (
        <Chip
          key={each.dimension}
          name={dimensionName(each.dimension)}
          value={nameOf(each.dimension, each.value)}
          onRemove={() => onChange({ only: writeOnly(only.filter((other) => other !== each)) })}
        />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly name: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ name, value, onRemove }: ChipProps) {
  return (
    <Button
      size="compact-sm"
      variant="light"
      rightSection={<Icon name="close" size={12} />}
      aria-label={`Remove ${name} ${value}`}
      onClick={onRemove}
    >
      {name}: {value}
    </Button>
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
