import {
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ChangeEvent } from 'react';
import { ImageInput } from './image-input.js';
import type { Field, FieldValue, Option } from './fields.js';

interface FieldInputProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly onChange: (value: FieldValue) => void;
  readonly error: string | undefined;
  readonly isFirst: boolean;
}

/** A field's explanation stands below it: fields beside each other stay in line. */
const BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

const TEXT_TYPES: Readonly<Record<string, string>> = {
  moment: 'datetime-local',
  date: 'date',
  month: 'month',
};

/** The control that a field is typed in. */
export function FieldInput({ field, value, onChange, error, isFirst }: FieldInputProps) {
  const { label, kind = 'text', description, placeholder, options = [] } = field;
  const common = {
    label,
    error,
    inputWrapperOrder: BELOW,
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    ...(isFirst && { 'data-autofocus': true }),
  };
  const text = String(value ?? '');
  const typed = {
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(currentTarget.value),
  };
  const words = Array.isArray(value) ? [...(value as readonly string[])] : [];
  switch (kind) {
    case 'number':
    case 'decimal':
    case 'money':
      return <NumberField field={field} value={value} onChange={onChange} common={common} />;
    case 'select':
      return (
        <Select
          {...common}
          data={[...options]}
          value={typeof value === 'string' ? value : null}
          onChange={(chosen) => onChange(chosen ?? '')}
          allowDeselect={field.nullable === true}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={[...options]}
          value={words}
          onChange={onChange}
          placeholder={words.length === 0 ? placeholder : undefined}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Everything' }}
        />
      );
    case 'checks':
      return <Checks {...{ label, error, value: words, onChange, options }} />;
    case 'words':
    case 'numbers':
    case 'pairs':
      return <TagsInput {...common} value={words} onChange={onChange} acceptValueOnBlur />;
    case 'flag':
      return <Flag {...{ label, error, description, value, onChange }} />;
    case 'image':
      return <ImageInput value={text} onChange={onChange} common={common} />;
    case 'area':
    case 'packages':
      return <Textarea {...common} {...typed} autosize minRows={2} />;
    case 'text':
    case 'moment':
    case 'date':
    case 'month':
      return <TextInput {...common} {...typed} type={TEXT_TYPES[kind] ?? 'text'} />;
  }
}

interface FlagProps extends Pick<FieldInputProps, 'error' | 'onChange' | 'value'> {
  readonly label: string;
  readonly description: string | undefined;
}

function Flag({ value, onChange, ...texts }: FlagProps) {
  return (
    <Checkbox
      {...texts}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface ChecksProps extends Pick<FieldInputProps, 'error' | 'onChange'> {
  readonly label: string;
  readonly value: string[];
  readonly options: readonly Option[];
}

function Checks({ options, ...group }: ChecksProps) {
  return (
    <Checkbox.Group {...group}>
      <Group gap="md" mt={6}>
        {options.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

interface NumberFieldProps extends Pick<FieldInputProps, 'field' | 'value' | 'onChange'> {
  readonly common: Readonly<Record<string, unknown>>;
}

function NumberField({ field: { kind, currency }, value, onChange, common }: NumberFieldProps) {
  return (
    <NumberInput
      {...common}
      thousandSeparator=","
      allowDecimal={kind !== 'number'}
      hideControls
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={onChange}
      {...(kind === 'money' && { rightSection: currency, rightSectionWidth: 48 })}
    />
  );
}
