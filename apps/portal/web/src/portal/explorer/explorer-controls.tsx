import { SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { regionLabel, REGIONS } from '#popularity/regions.js';
import { labelOf, LIMITS } from '#rating/resource.js';
import { nameOfSlug } from '../../format/resource-path.js';
import { EXPLORER_KINDS, chosenOf, levelsOf, type ExplorerKind } from './explorer-search.js';
import type { ExplorerSearch } from './explorer-search.js';
import css from './explorer.module.css';
import type { Catalog, Category } from '../../rest/answers.js';
import { brandsNamed } from '../../rest/queries.js';
import type { OptionsFilter } from '@mantine/core';
import { holdsWords } from '#rating/folded-text.js';

interface ExplorerControlsProps {
  readonly search: ExplorerSearch;
  readonly catalog: Catalog;
  readonly onChange: (change: ExplorerSearch) => void;
}

export function ExplorerControls({ search, catalog, onChange }: ExplorerControlsProps) {
  const chosen = chosenOf(search, catalog);
  const isSeries = chosen.kind === 'timeseries' || chosen.kind === 'brand-timeseries';
  return (
    <div className={css.controls}>
      <Select
        label="What"
        data={[...EXPLORER_KINDS]}
        value={chosen.kind}
        allowDeselect={false}
        onChange={(kind) => onChange({ kind: kind as ExplorerKind })}
      />
      {chosen.kind === 'brand-timeseries' ? (
        <BrandSelect search={search} onChange={onChange} />
      ) : (
        <CategorySelect
          catalog={catalog}
          kind={chosen.kind}
          value={chosen.category?.id ?? null}
          onChange={(category) => onChange({ category })}
        />
      )}
      {chosen.kind === 'related-trends' && (
        <Select
          label="Related group"
          data={catalog.groups.map((value) => ({ value, label: nameOfSlug(value) }))}
          value={chosen.group}
          allowDeselect={false}
          onChange={(group) => group !== null && onChange({ group })}
        />
      )}
      <RegionSelect value={chosen.region} onChange={(region) => onChange({ region })} />
      {!isSeries && <LimitControl value={chosen.limit} onChange={(limit) => onChange({ limit })} />}
    </div>
  );
}

interface RegionSelectProps {
  readonly value: string;
  readonly onChange: (region: string) => void;
}

export function RegionSelect({ value, onChange }: RegionSelectProps) {
  return (
    <Select
      label="Region"
      data={REGIONS.map((region) => ({ value: region, label: regionLabel(region) }))}
      value={value}
      allowDeselect={false}
      onChange={(region) => region !== null && onChange(region)}
    />
  );
}

const NARROW = { label: { paddingInline: 6 } };

interface LimitControlProps {
  readonly value: string;
  readonly onChange: (limit: string) => void;
}

function LimitControl({ value, onChange }: LimitControlProps) {
  return (
    <div>
      <p className={css.label} id="limit">
        Rows
      </p>
      <SegmentedControl
        aria-labelledby="limit"
        fullWidth
        styles={NARROW}
        data={LIMITS.map((limit) => ({ value: limit, label: labelOf('limit', limit) }))}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

/** `Beauty › Skincare › Serums`: the way down to a category. */
function pathNames(categories: readonly Category[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { id, label, parent_id: parent } of categories) {
    const above = parent === null ? undefined : names.get(parent);
    names.set(id, above === undefined ? label : `${above} › ${label}`);
  }
  return names;
}

interface CategorySelectProps {
  readonly catalog: Catalog;
  readonly kind: ExplorerKind;
  readonly value: string | null;
  readonly onChange: (id: string) => void;
}

const OPTIONS_MAX = 120;

function CategorySelect({ catalog, kind, value, onChange }: CategorySelectProps) {
  const options = useMemo(() => {
    const names = pathNames(catalog.categories);
    const levels = levelsOf(kind);
    return catalog.categories
      .filter(({ level }) => levels.includes(level))
      .map(({ id, label }) => ({ value: id, label: names.get(id) ?? label }))
      .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
  }, [catalog, kind]);
  return (
    <Select
      className={css.wide}
      label="Category"
      searchable
      data={options}
      filter={foundOptions}
      limit={OPTIONS_MAX}
      value={value}
      allowDeselect={false}
      nothingFoundMessage="No category of this name"
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}

type BrandSelectProps = Pick<ExplorerControlsProps, 'search' | 'onChange'>;

function BrandSelect({ search, onChange }: BrandSelectProps) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, 250);
  const brands = useQuery(brandsNamed(asked));
  const found = (brands.data?.items ?? []).map(({ id, label }) => ({ value: id, label }));
  const { brand, name } = search;
  const isMissing = brand !== undefined && !found.some(({ value }) => value === brand);
  const data = isMissing ? [{ value: brand, label: name ?? brand.slice(0, 8) }, ...found] : found;
  return (
    <Select
      className={css.wide}
      label="Brand"
      placeholder="Type a part of its name"
      searchable
      data={data}
      filter={({ options }) => options}
      value={brand ?? null}
      allowDeselect={false}
      nothingFoundMessage={brands.isFetching ? 'Looking …' : 'No brand of this name'}
      onSearchChange={setTyped}
      onChange={(id, option) => id !== null && onChange({ brand: id, name: option?.label ?? id })}
    />
  );
}

/** Options of a list whose labels hold what was typed. */
const foundOptions: OptionsFilter = ({ options, search, limit }) =>
  options
    .filter((one) => search.trim() === '' || ('label' in one && holdsWords(one.label, search)))
    .slice(0, limit);
