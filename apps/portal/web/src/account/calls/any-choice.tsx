import { Select } from '@mantine/core';
import { REGIONS } from '#popularity/regions.js';
import { RESOURCE_NAMES, RESOURCES } from '#rating/resource.js';
import type { ApiKey } from '../../rest/answers.js';

type Choice = string | { readonly value: string; readonly label: string };

/** Values of filters of calls that are the same for everybody. */
export const CHOICES = {
  kinds: ['base', 'repeat'],
  resources: RESOURCE_NAMES.map((value) => ({ value, label: RESOURCES[value].label })),
  regions: REGIONS,
} as const;

export function keyChoices(keys: readonly ApiKey[]): readonly Choice[] {
  return keys.map((key) => ({ value: key.id, label: `${key.label ?? 'Key'} …${key.last_four}` }));
}

interface AnyChoiceProps {
  readonly label: string;
  readonly data: readonly Choice[];
  readonly width: number;
  /** Null: any. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** One value of a filter, or any. */
export function AnyChoice({ label, data, width, value, onChange }: AnyChoiceProps) {
  return (
    <Select
      label={label}
      w={width}
      placeholder="Any"
      clearable
      data={data}
      value={value}
      onChange={onChange}
      clearButtonProps={{ 'aria-label': `Any ${label}` }}
    />
  );
}
