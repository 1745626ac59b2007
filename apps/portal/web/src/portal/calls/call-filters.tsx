import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiKeysQuery, type CallFilter } from '../../rest/queries.js';
import { addDays, dayOf } from '../../format/days.js';
import { startOfDay } from '../../format/zones.js';
import css from '../../ui/form.module.css';
import { Typed } from '../../ui/typed.js';
import { useZones } from '../../ui/zones.js';
import { startOf } from './calls-search.js';

interface CallFiltersProps {
  readonly filter: CallFilter;
  readonly onChange: (filter: CallFilter) => void;
}

/** Every filter of the list, kept in the address. */
export function CallFilters({ filter, onChange }: CallFiltersProps) {
  const keys = useQuery(apiKeysQuery);
  const set = (change: { [Name in keyof CallFilter]?: string | undefined }) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value);
    onChange(Object.fromEntries(next) as CallFilter);
  };
  return (
    <div className={css.toolbar} role="search" aria-label="Filter the calls">
      <Days filter={filter} onChange={set} />
      <Select
        label="Kind"
        w={120}
        placeholder="Any"
        clearable
        data={['base', 'repeat']}
        value={filter.kind ?? null}
        onChange={(kind) => set({ kind: kind ?? undefined })}
        clearButtonProps={{ 'aria-label': 'Any kind' }}
      />
      <Select
        label="API key"
        w={160}
        placeholder="Any"
        clearable
        data={(keys.data ?? []).map((key) => ({
          value: key.id,
          label: `${key.label ?? 'Key'} …${key.last_four}`,
        }))}
        value={filter.api_key_id ?? null}
        onChange={(id) => set({ api_key_id: id ?? undefined })}
        clearButtonProps={{ 'aria-label': 'Any API key' }}
      />
      <Typed
        label="Tag"
        placeholder="team=nails"
        value={filter.tag ?? ''}
        width={130}
        onChange={(tag) => set({ tag })}
      />
      <Typed
        label="Resource key"
        placeholder="/v1/2026w47/…"
        value={filter.resource_key ?? ''}
        width={220}
        onChange={(key) => set({ resource_key: key })}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
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
