import type { Command } from '#client/operations.js';
import { useChange } from '../rest/use-change.js';
import { FormButton, type FormButtonProps } from './form-button.js';

interface ChangeButtonProps<Answer> extends Omit<FormButtonProps, 'onSubmit'> {
  readonly of: Command<Answer, unknown>;
  readonly onAnswer?: (answer: Answer) => void;
}

/** A button that opens the form of an operation, whose body is what the form holds. */
export function ChangeButton<Answer>(props: ChangeButtonProps<Answer>) {
  const { of, onAnswer, ...form } = props;
  const change = useChange();
  return (
    <FormButton
      {...form}
      onSubmit={async (body) => {
        const answer = await change(of, body);
        onAnswer?.(answer);
      }}
    />
  );
}
