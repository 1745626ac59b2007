import { Button, Modal, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CLOSE } from '../ui/confirm-button.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useChangeRefusal } from './change-refusal.js';
import { ChangeForm, type ChangeFormProps } from './change-form.js';

export interface FormButtonProps extends Omit<ChangeFormProps, 'onDone' | 'onCancel' | 'refusal'> {
  readonly label: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly size?: ButtonProps['size'];
  readonly variant?: 'filled' | 'default';
}

/** A button that opens a form. Where the operator may not change anything, it shows why. */
export function FormButton(props: FormButtonProps) {
  const { label, title, icon, size, variant = 'default', ...form } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const refusal = useChangeRefusal();
  return (
    <>
      <Button
        variant={variant}
        onClick={open}
        disabled={refusal !== undefined}
        {...(refusal !== undefined && { title: refusal })}
        {...(size !== undefined && { size })}
        {...(icon !== undefined && { leftSection: <Icon name={icon} /> })}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={CLOSE} size="lg">
        <ChangeForm {...form} onDone={close} onCancel={close} />
      </Modal>
    </>
  );
}
