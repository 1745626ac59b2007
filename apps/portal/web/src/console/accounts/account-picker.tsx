import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { one } from '../../rest/reads.js';
import { admin } from '../admin.js';

const TYPING_MS = 250;
const SHOWN = 20;
const ID_LENGTH = 8;

interface AccountPickerProps {
  /** Id of an account; null: any. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** Shown while none is chosen. */
  readonly placeholder?: string;
}

/** Chooses an account by its name. */
export function AccountPicker({ value, onChange, placeholder = 'Any' }: AccountPickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data: found } = useQuery({
    ...one(admin.listAccounts({ search, limit: SHOWN })),
    placeholderData: keepPreviousData,
  });
  const { data: chosen } = useQuery({
    ...one(admin.getAccount({ account_id: value ?? '' })),
    enabled: value !== null,
  });
  const named = (found?.items ?? []).map(({ id, name }) => choiceOf(id, name));
  const isListed = value === null || named.some((choice) => choice.value === value);
  const data = isListed ? named : [choiceOf(value, chosen?.name), ...named];
  return (
    <Select
      label="Account"
      placeholder={placeholder}
      w={200}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any account' }}
      nothingFoundMessage="No account has that name"
      data={data}
      // The service has searched already, by more than the name.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={(text) => {
        // The name of the chosen one stands in the field, and is no search.
        setTyped(data.some(({ label }) => label === text) ? '' : text);
      }}
    />
  );
}

function choiceOf(value: string, name: string | null | undefined) {
  return { value, label: name ?? `erased (${value.slice(0, ID_LENGTH)})` };
}
