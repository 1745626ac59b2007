import { Button, Group, Modal, TextInput, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ProblemNotice } from './notice.js';
import css from './form.module.css';

interface ConfirmButtonProps {
  readonly label: string;
  /** The question, and what it means. */
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  /** Whether it is done for ever: only then the button that does it is red. */
  readonly irreversible?: boolean;
  readonly withReason?: boolean;
  readonly onConfirm: (reason: string | undefined) => Promise<unknown>;
  readonly size?: ButtonProps['size'];
  readonly disabled?: boolean;
  /** Why it cannot be done; it is disabled where this says something. */
  readonly disabledBecause?: string | undefined;
}

/** Asks once before something is done, and for a reason. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const { label, size = 'compact-sm', disabled = false, disabledBecause } = props;
  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={open}
        disabled={disabled || disabledBecause !== undefined}
        {...(disabledBecause !== undefined && { title: disabledBecause })}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={props.title} closeButtonProps={CLOSE} centered>
        <Question {...props} onClose={close} />
      </Modal>
    </>
  );
}

export const CLOSE = { 'aria-label': 'Close' };

function Question(props: ConfirmButtonProps & { readonly onClose: () => void }) {
  const { children, confirm, irreversible = false, withReason = true } = props;
  const { onConfirm, onClose } = props;
  const [reason, setReason] = useState('');
  const act = useMutation({
    mutationFn: () => onConfirm(reason.trim() === '' ? undefined : reason.trim()),
    onSuccess: onClose,
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <div>{children}</div>
      {withReason && (
        <TextInput
          label="Reason (optional)"
          description="Kept with the change, for whoever asks later."
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {act.isError && <ProblemNotice error={act.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button type="submit" loading={act.isPending} {...(irreversible && { color: 'red.8' })}>
          {confirm}
        </Button>
      </Group>
    </form>
  );
}
