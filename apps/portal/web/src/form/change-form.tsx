import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formFaults } from '../rest/problem.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import css from '../ui/form.module.css';
import { FieldInput } from './field-input.js';
import { bodyOf, labelOf, type Field, type FieldValue, type FormValues } from './fields.js';

export interface ChangeFormProps {
  readonly fields: readonly Field[];
  readonly initial?: FormValues;
  readonly submit: string;
  /** Whether it is done for ever: only then the button that does it is red. */
  readonly irreversible?: boolean;
  readonly onSubmit: (body: Record<string, unknown>, values: FormValues) => Promise<unknown>;
  readonly onChange?: (values: FormValues) => void;
  readonly onDone: () => void;
  /** Absent where there is nothing to go back to. */
  readonly onCancel?: () => void;
  /** Why nothing can be sent. */
  readonly refusal?: string | undefined;
  readonly children?: ReactNode;
  /** Effects of what is typed: credits, money, dates. */
  readonly summary?: (values: FormValues) => ReactNode;
}

/** A form made of its fields; what the service finds wrong stands at the field. */
export function ChangeForm(props: ChangeFormProps) {
  const { initial = {}, onSubmit, onChange, onDone, children, summary } = props;
  const [values, setValues] = useState<FormValues>(initial);
  const fields = props.fields.filter(({ appliesTo }) => appliesTo?.(values) ?? true);
  const send = useMutation({
    mutationFn: () => onSubmit(bodyOf(fields, values), values),
    onSuccess: onDone,
  });
  const names = fields.map(({ name }) => name);
  const faults = formFaults(send.error, names);
  const set = (name: string, value: FieldValue) => {
    const after = { ...values, [name]: value };
    setValues(after);
    onChange?.(after);
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      {children}
      {rowsOf(fields).map((row) => (
        <div key={row[0]?.name} className={css.row}>
          {row.map((field) => (
            <FieldInput
              key={field.name}
              field={{ ...field, label: labelOf(field, values) }}
              value={values[field.name]}
              onChange={(value) => set(field.name, value)}
              error={faults.fields[field.name]}
              isFirst={field === fields[0]}
            />
          ))}
        </div>
      ))}
      {summary?.(values)}
      <FormFaultsNotice faults={faults} />
      <FormFooter {...props} isPending={send.isPending} />
    </form>
  );
}

type FormFooterProps = Pick<ChangeFormProps, 'submit' | 'irreversible' | 'onCancel' | 'refusal'> & {
  readonly isPending: boolean;
};

/** The buttons of a form, in sight however long it is. */
function FormFooter({
  submit,
  irreversible = false,
  onCancel,
  refusal,
  isPending,
}: FormFooterProps) {
  return (
    <Group justify="flex-end" gap="xs" className={css.footer}>
      {onCancel !== undefined && (
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button
        type="submit"
        loading={isPending}
        disabled={refusal !== undefined}
        {...(refusal !== undefined && { title: refusal })}
        {...(irreversible && { color: 'red.8' })}
      >
        {submit}
      </Button>
    </Group>
  );
}

function rowsOf(fields: readonly Field[]): readonly (readonly Field[])[] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.beside === true && last !== undefined) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
