import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DisputePill } from '../../account/dispute-table.js';
import { ChangeForm } from '../../form/change-form.js';
import type { Field } from '../../form/fields.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { useCanManage } from '../session.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';

const REASON: readonly Field[] = [
  { name: 'reason', label: 'What is wrong with this call?', kind: 'area' },
];

/** The disputes of one call; whoever may manage the account opens one here. */
export function CallDisputes({ callId }: { readonly callId: string }) {
  const disputes = useQuery(all(portal.listDisputes({ call_id: callId })));
  const canManage = useCanManage();
  return (
    <Loaded of={disputes} rows={1}>
      {(items) => {
        const isOpen = items.some(({ status }) => status === 'open');
        return (
          <>
            {items.map((dispute) => (
              <p key={dispute.id}>
                <DisputePill status={dispute.status} /> <Moment at={dispute.opened_at} />:{' '}
                {dispute.reason ?? 'Erased'}
                {dispute.answer !== null && <> Answer: {dispute.answer}</>}
              </p>
            ))}
            {canManage && !isOpen && <OpenDispute callId={callId} />}
          </>
        );
      }}
    </Loaded>
  );
}

function OpenDispute({ callId }: { readonly callId: string }) {
  const [isAsked, setAsked] = useState(false);
  const change = useChange('disputes');
  if (!isAsked) {
    return (
      <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
        Dispute this call
      </Button>
    );
  }
  const close = () => setAsked(false);
  return (
    <ChangeForm
      fields={REASON}
      submit="Open the dispute"
      onSubmit={(body) => change(portal.openDispute(), { ...body, call_ids: [callId] })}
      onDone={close}
      onCancel={close}
    />
  );
}
