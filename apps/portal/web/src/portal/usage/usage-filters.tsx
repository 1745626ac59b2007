import { useQuery } from '@tanstack/react-query';
import { AnyChoice, CHOICES, keyChoices } from '../../account/calls/any-choice.js';
import { Typed } from '../../ui/typed.js';
import { isTag, readOnly, writeOnly, type Narrowing, type UsageSearch } from './usage-search.js';
import type { Dimension } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';

interface UsageFiltersProps {
  readonly only: readonly Narrowing[];
  readonly onChange: (change: UsageSearch) => void;
}

/** The filters of the calls: kind, API key and tag, and what was asked for. */
export function UsageFilters({ only, onChange }: UsageFiltersProps) {
  const keys = useQuery(all(portal.listApiKeys())).data ?? [];
  const valueOf = (dimension: Dimension): string | null =>
    only.find((each) => each.dimension === dimension)?.value ?? null;
  const tag = only.find(({ dimension }) => isTag(dimension));
  const untagged = only.filter((each) => each !== tag);
  const set = (dimension: Dimension, value: string | null): void => {
    const others = only.filter((each) => each.dimension !== dimension);
    onChange({ only: writeOnly(value ? [...others, { dimension, value }] : others) });
  };
  const choice = (dimension: Dimension) => ({
    value: valueOf(dimension),
    onChange: (value: string | null) => set(dimension, value),
  });
  const typed = (dimension: Dimension, label: string, placeholder: string, width: number) => (
    <Typed
      label={label}
      placeholder={placeholder}
      value={valueOf(dimension) ?? ''}
      width={width}
      onChange={(value) => set(dimension, value)}
    />
  );
  return (
    <>
      <AnyChoice label="Kind" data={CHOICES.kinds} width={110} {...choice('kind')} />
      <AnyChoice label="API key" data={keyChoices(keys)} width={160} {...choice('api_key')} />
      <AnyChoice label="Resource" data={CHOICES.resources} width={150} {...choice('resource')} />
      <AnyChoice label="Region" data={CHOICES.regions} width={100} {...choice('region')} />
      {typed('rule', 'Rule', 'top 5', 110)}
      <Typed
        label="Tag"
        placeholder="team=nails"
        value={tag === undefined ? '' : writeOnly([tag]).slice('tag:'.length)}
        width={130}
        onChange={(text) => onChange({ only: writeOnly([...untagged, ...readTag(text)]) })}
      />
      {typed('key', 'Resource key', '/v1/2026w47/…', 220)}
    </>
  );
}

/** A tag as it is typed, `team=nails` or `team` for any value; what is no tag filters nothing. */
function readTag(text: string): readonly Narrowing[] {
  return readOnly(`tag:${text.trim()}`);
}
