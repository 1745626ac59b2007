import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { Icon } from '../../ui/icon.js';

/** Leads to the form of a new customer. */
export function NewCustomer() {
  const refusal = useChangeRefusal();
  const navigate = useNavigate();
  return (
    <Button
      leftSection={<Icon name="plus" />}
      disabled={refusal !== undefined}
      {...(refusal !== undefined && { title: refusal })}
      onClick={() => void navigate({ to: '/accounts/new' as string })}
    >
      New customer
    </Button>
  );
}
