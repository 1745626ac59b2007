import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BUYER_ADDRESS } from '../../account/party-fields.js';
import { ChangeForm } from '../../form/change-form.js';
import { valuesOf } from '../../form/fields.js';
import type { Party } from '../../rest/data-answers.js';
import { billingQuery } from '../../rest/data-queries.js';
import { PORTAL } from '../../rest/queries.js';
import { change } from '../../rest/request.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { useCanManage } from '../session.js';

/** Opens the form of the billing details, for managers alone. */
export function BillingButton({ label }: { readonly label: string }) {
  const billing = useQuery(billingQuery);
  const [isOpen, { open, close }] = useDisclosure();
  if (!useCanManage() || billing.data === undefined) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Whom invoices are addressed to"
        closeButtonProps={CLOSE}
        size="lg"
      >
        <BillingForm party={billing.data} onDone={close} />
      </Modal>
    </>
  );
}

interface BillingFormProps {
  readonly party: Party;
  readonly onDone: () => void;
}

function BillingForm({ party, onDone }: BillingFormProps) {
  const client = useQueryClient();
  return (
    <ChangeForm
      fields={BUYER_ADDRESS}
      initial={valuesOf(BUYER_ADDRESS, party)}
      submit="Save"
      onSubmit={async (body) => {
        await change('PUT', `${PORTAL}/billing`, body);
        // What was held for a lack of them is issued.
        for (const queryKey of [billingQuery.queryKey, ['invoices']]) {
          await client.invalidateQueries({ queryKey });
        }
      }}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
