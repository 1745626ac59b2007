import type { ReactNode } from 'react';
import type { Command } from '#client/operations.js';
import { useChange } from '../rest/use-change.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { useChangeRefusal } from './change-refusal.js';

interface ActButtonProps<Answer> {
  readonly label: string;
  readonly title: string;
  readonly confirm: string;
  readonly irreversible?: boolean;
  readonly of: Command<Answer, unknown>;
  /** Members besides the reason. */
  readonly body?: object;
  readonly disabled?: boolean;
  readonly onAnswer?: (answer: Answer) => void;
  readonly children: ReactNode;
}

/** Asks once, with a reason, and then does it. */
export function ActButton<Answer>(props: ActButtonProps<Answer>) {
  const { of, body, disabled = false, onAnswer, ...question } = props;
  const change = useChange();
  const refusal = useChangeRefusal();
  return (
    <ConfirmButton
      {...question}
      disabled={disabled}
      disabledBecause={refusal}
      onConfirm={async (reason) => {
        const answer = await change(of, { ...body, ...(reason !== undefined && { reason }) });
        onAnswer?.(answer);
      }}
    />
  );
}
