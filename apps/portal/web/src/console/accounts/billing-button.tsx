import { useQuery } from '@tanstack/react-query';
import { valuesOf } from '../../form/fields.js';
import { FormButton } from '../form/form-button.js';
import { billingQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { BUYER } from './account-fields.js';

interface BillingButtonProps {
  /** Of the account. */
  readonly id: string;
  readonly label: string;
}

/** Opens the form of an account's billing details. */
export function BillingButton({ id, label }: BillingButtonProps) {
  const details = useQuery(billingQuery(id));
  const change = useAdminChange();
  if (details.data === undefined) return null;
  return (
    <FormButton
      label={label}
      title="Whom invoices are addressed to"
      size="compact-sm"
      fields={BUYER}
      initial={valuesOf(BUYER, details.data)}
      submit="Save"
      onSubmit={(body) => change('PUT', `/accounts/${id}/billing`, body)}
    />
  );
}
