import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_MS = 350;

interface TypedProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly width: number;
  readonly onChange: (value: string) => void;
}

/** A field that asks only once the typing rests. */
export function Typed({ label, placeholder, value, width, onChange }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const report = useDebouncedCallback((text: string) => onChange(text.trim()), TYPING_MS);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      w={width}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        report(event.currentTarget.value);
      }}
    />
  );
}
