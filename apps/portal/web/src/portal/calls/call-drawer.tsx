import { Drawer, Button } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CallExplained, LogPlace, type CallWords } from '../../account/calls/call-explained.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import css from '../../account/calls/calls.module.css';
import { NoCall } from '../../account/calls/no-call.js';
import { CallDisputes } from '../disputes/call-disputes.js';
import { ResourceName } from '../resource-name.js';
import { useWorth } from '../credit-price.js';
import { useAccount } from '../session.js';
import { portal } from '../../rest/portal.js';
import { all, one } from '../../rest/reads.js';
import { problemOf } from '../../rest/problem.js';
import { saveFile } from '../../ui/download-button.js';
import { Icon } from '../../ui/icon.js';
import { read } from '../../rest/request.js';

interface CallDrawerProps {
  /** Null: closed. */
  readonly callId: string | null;
  readonly onClose: () => void;
}

/** Why one call cost what it cost. */
export function CallDrawer({ callId, onClose }: CallDrawerProps) {
  return (
    <Drawer
      opened={callId !== null}
      onClose={onClose}
      position="right"
      size="min(560px, 100vw)"
      title="Why did this cost that?"
      closeButtonProps={CLOSE}
    >
      {callId !== null && <Explained callId={callId} />}
    </Drawer>
  );
}

function Explained({ callId }: { readonly callId: string }) {
  const explanation = useQuery(one(portal.explainCall({ call_id: callId })));
  const { grants } = useAccount();
  const worth = useWorth();
  const { data: keys } = useQuery({ ...all(portal.listApiKeys()), staleTime: Infinity });
  const words: CallWords = {
    worth,
    resource: (path) => <ResourceName path={path} />,
    apiKey: (id) => keys?.find((key) => key.id === id)?.label ?? id.slice(0, 8),
    grant: (id) => {
      const grant = grants.find((each) => each.id === id);
      return grant === undefined ? `Grant ${id.slice(0, 8)}` : `${grant.kind} grant`;
    },
    call: (call) => (
      <Link from="/calls" to="/calls" search={(now) => ({ ...now, call })}>
        The call
      </Link>
    ),
    invoice: (number, line) => (
      <Link to="/invoices/$number" params={{ number }}>
        {number}, line {line}
      </Link>
    ),
  };
  return (
    <Loaded of={explanation} rows={9} missing={<NoCall callId={callId} />}>
      {(call) => (
        <>
          <CallExplained call={call} words={words} />
          <h3 className={css.heading}>Dispute</h3>
          <CallDisputes callId={call.call_id} />
          <details>
            <summary className={css.heading}>Proof</summary>
            <dl className={css.facts}>
              <LogPlace call={call} />
            </dl>
            <CallReceipt callId={call.call_id} />
          </details>
        </>
      )}
    </Loaded>
  );
}

/** The signed receipt of a call as a file, which can be checked without the service. */
function CallReceipt({ callId }: { readonly callId: string }) {
  const fetched = useMutation({
    mutationFn: async () => {
      const { receipt } = await read(portal.getCallReceipt({ call_id: callId }));
      saveFile(new Blob([`${receipt}\n`], { type: 'text/plain' }), `receipt-${callId}.txt`);
    },
  });
  const problem = fetched.isError ? problemOf(fetched.error) : null;
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="download" size={14} />}
        loading={fetched.isPending}
        onClick={() => fetched.mutate()}
      >
        Signed receipt
      </Button>
      {problem !== null && <p role="alert">{problem.detail ?? problem.title}</p>}
    </div>
  );
}
