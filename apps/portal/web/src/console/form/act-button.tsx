import type { ReactNode } from 'react';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { useChangeRefusal } from '../console-session.js';

interface ActButtonProps {
  readonly label: string;
  readonly title: string;
  readonly confirm: string;
  readonly irreversible?: boolean;
  readonly method: 'POST' | 'DELETE';
  /** Behind the prefix of the REST. */
  readonly path: string;
  /** Members besides the reason. */
  readonly body?: object;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** Asks once, with a reason, and then does it. */
export function ActButton({ method, path, body, disabled = false, ...question }: ActButtonProps) {
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  return (
    <ConfirmButton
      {...question}
      disabled={disabled}
      disabledBecause={refusal}
      onConfirm={(reason) =>
        change(method, path, { ...body, ...(reason !== undefined && { reason }) })
      }
    />
  );
}
