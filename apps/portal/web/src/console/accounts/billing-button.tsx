import { useQuery } from '@tanstack/react-query';
import { valuesOf } from '../../form/fields.js';
import { BUYER } from './account-fields.js';
import { admin } from '../admin.js';
import { one } from '../../rest/reads.js';
import { ChangeButton } from '../../form/change-button.js';

interface BillingButtonProps {
  /** Of the account. */
  readonly id: string;
  readonly label: string;
}

/** Opens the form of an account's billing details. */
export function BillingButton({ id, label }: BillingButtonProps) {
  const details = useQuery(one(admin.getBillingDetails({ account_id: id })));
  if (details.data === undefined) return null;
  return (
    <ChangeButton
      label={label}
      title="Whom invoices are addressed to"
      size="compact-sm"
      fields={BUYER}
      initial={valuesOf(BUYER, details.data)}
      submit="Save"
      of={admin.replaceBillingDetails({ account_id: id })}
    />
  );
}
