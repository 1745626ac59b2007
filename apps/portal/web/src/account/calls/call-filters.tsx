import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { addDays, dayOf } from '../../format/days.js';
import { startOfDay } from '../../format/zones.js';
import css from '../../ui/form.module.css';
import { Typed } from '../../ui/typed.js';
import { useZones } from '../../ui/zones.js';
import { AnyChoice, CHOICES, keyChoices } from './any-choice.js';
import { startOf } from './calls-search.js';
import type { ApiKey } from '../../rest/answers.js';
import type { CallFilter } from '../../rest/queries.js';

type Set = (change: { [Name in keyof CallFilter]?: string | undefined }) => void;

interface CallFiltersProps {
  readonly filter: CallFilter;
  readonly onChange: (filter: CallFilter) => void;
  /** To choose from; without them there is no such filter. */
  readonly apiKeys?: readonly ApiKey[];
  /** Further filters, in front. */
  readonly children?: ReactNode;
}

/** Every filter of the list, kept in the address. */
export function CallFilters({ filter, onChange, apiKeys, children }: CallFiltersProps) {
  const set: Set = (change) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value);
    onChange(Object.fromEntries(next) as CallFilter);
  };
  const choice = (name: 'kind' | 'api_key_id' | 'resource' | 'region') => ({
    value: filter[name] ?? null,
    onChange: (value: string | null) => set({ [name]: value ?? undefined }),
  });
  return (
    <div className={css.toolbar} role="search" aria-label="Filter the calls">
      {children}
      <Days filter={filter} onChange={set} />
      <AnyChoice label="Kind" data={CHOICES.kinds} width={110} {...choice('kind')} />
      {apiKeys !== undefined && (
        <AnyChoice
          label="API key"
          data={keyChoices(apiKeys)}
          width={160}
          {...choice('api_key_id')}
        />
      )}
      <AnyChoice label="Resource" data={CHOICES.resources} width={150} {...choice('resource')} />
      <AnyChoice label="Region" data={CHOICES.regions} width={100} {...choice('region')} />
      <TypedFilters filter={filter} onChange={set} />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface TypedFiltersProps {
  readonly filter: CallFilter;
  readonly onChange: Set;
}

function TypedFilters({ filter, onChange }: TypedFiltersProps) {
  const typed = (
    name: 'rule' | 'tag' | 'resource_key',
    label: string,
    placeholder: string,
    width: number,
  ) => (
    <Typed
      label={label}
      placeholder={placeholder}
      value={filter[name] ?? ''}
      width={width}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      {typed('rule', 'Rule', 'top 5', 110)}
      {typed('tag', 'Tag', 'team=nails', 130)}
      {typed('resource_key', 'Resource key', '/v1/2026w47/…', 220)}
    </>
  );
}

interface DaysProps {
  readonly filter: CallFilter;
  readonly onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
}

/** Both days count. They are days of the zone that times are shown in. */
function Days({ filter, onChange }: DaysProps) {
  const { billing, shown } = useZones();
  const from = filter.from === undefined ? '' : dayOf(startOf(filter.from, billing), shown);
  const to = filter.to === undefined ? '' : lastDay(startOf(filter.to, billing), shown);
  const ofDay = (day: string) =>
    day === '' ? undefined : shown === billing ? day : startOfDay(day, shown);
  return (
    <>
      <TextInput
        type="date"
        label="From"
        w={150}
        value={from}
        onChange={(event) => onChange({ from: ofDay(event.currentTarget.value) })}
      />
      <TextInput
        type="date"
        label="To"
        w={150}
        value={to}
        onChange={(event) => {
          const day = event.currentTarget.value;
          onChange({ to: ofDay(day === '' ? '' : addDays(day, 1)) });
        }}
      />
    </>
  );
}

/** The last day before an end that does not belong to the list. */
function lastDay(to: string, zone: string): string {
  return dayOf(Date.parse(to) - 1, zone);
}
