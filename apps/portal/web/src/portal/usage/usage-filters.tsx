import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { REGIONS, RESOURCE_NAMES, RESOURCES } from '#rating/resource.js';
import type { Dimension } from '../../rest/answers.js';
import { apiKeysQuery } from '../../rest/queries.js';
import { Typed } from '../../ui/typed.js';
import { writeOnly, type Narrowing, type UsageSearch } from './usage-search.js';

interface UsageFiltersProps {
  readonly only: readonly Narrowing[];
  readonly onChange: (change: UsageSearch) => void;
}

/** The filters of the calls: kind, API key and tag, and what was asked for. */
export function UsageFilters({ only, onChange }: UsageFiltersProps) {
  const keys = useQuery(apiKeysQuery).data ?? [];
  const valueOf = (dimension: Dimension): string | null =>
    only.find((each) => each.dimension === dimension)?.value ?? null;
  const set = (dimension: Dimension, value: string | null): void => {
    const others = only.filter((each) => each.dimension !== dimension);
    onChange({ only: writeOnly(value ? [...others, { dimension, value }] : others) });
  };
  const choice = (dimension: Dimension, label: string, data: readonly Choice[], width: number) => (
    <Select
      label={label}
      w={width}
      placeholder="Any"
      clearable
      data={data}
      value={valueOf(dimension)}
      onChange={(value) => set(dimension, value)}
      clearButtonProps={{ 'aria-label': `Any ${label}` }}
    />
  );
  const labels = keys.map((key) => ({
    value: key.id,
    label: `${key.label ?? 'Key'} …${key.last_four}`,
  }));
  return (
    <>
      {choice('kind', 'Kind', ['base', 'repeat'], 110)}
      {choice('api_key', 'API key', labels, 160)}
      {choice('resource', 'Resource', RESOURCE_CHOICES, 150)}
      {choice('region', 'Region', REGIONS, 100)}
      <Typed
        label="Tag"
        placeholder="team=nails"
        value={valueOf('tag') ?? ''}
        width={130}
        onChange={(tag) => set('tag', tag)}
      />
    </>
  );
}

type Choice = string | { readonly value: string; readonly label: string };

const RESOURCE_CHOICES = RESOURCE_NAMES.map((value) => ({ value, label: RESOURCES[value].label }));
