import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { BUYER_ADDRESS } from '../../account/party-fields.js';
import { ChangeForm } from '../../form/change-form.js';
import { valuesOf } from '../../form/fields.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { useCanManage } from '../session.js';
import type { Party } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';

/** Opens the form of the billing details, for managers alone. */
export function BillingButton({ label }: { readonly label: string }) {
  const billing = useQuery(one(portal.getBillingDetails()));
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
  // What was held for a lack of them is issued.
  const change = useChange('billing', 'invoices');
  return (
    <ChangeForm
      fields={BUYER_ADDRESS}
      initial={valuesOf(BUYER_ADDRESS, party)}
      submit="Save"
      onSubmit={(body) => change(portal.replaceBillingDetails(), body)}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
