import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../format/moments.js';
import { useZones } from '../../ui/zones.js';
import { CLOSE, ConfirmButton } from '../../ui/confirm-button.js';
import { ProblemNotice } from '../../ui/notice.js';
import css from '../../ui/form.module.css';
import type { ApiKey, IssuedApiKey } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { send } from '../../rest/request.js';

interface ApiKeyActionsProps {
  readonly apiKey: ApiKey;
  readonly onIssued: (issued: IssuedApiKey) => void;
}

/** Rotating with an overlap, or revoking at once. */
export function ApiKeyActions({ apiKey, onIssued }: ApiKeyActionsProps) {
  const client = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const revoke = async (reason: string | undefined) => {
    await send(portal.revokeApiKey({ key_id: apiKey.id }), { ...(reason && { reason }) });
    await client.invalidateQueries({ queryKey: ['api-keys'] });
  };
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={open}>
        Rotate
      </Button>
      <ConfirmButton
        label="Revoke"
        title={`Revoke “${nameOf(apiKey)}”?`}
        confirm="Revoke it"
        irreversible
        onConfirm={revoke}
      >
        Calls with this key are refused from the next one on. It cannot be brought back.
      </ConfirmButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Rotate “${nameOf(apiKey)}”?`}
        closeButtonProps={CLOSE}
      >
        <Rotation apiKey={apiKey} onIssued={onIssued} onClose={close} />
      </Modal>
    </Group>
  );
}

function nameOf({ label, last_four: end }: ApiKey): string {
  return label === null ? `…${end}` : `${label} …${end}`;
}

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '0', label: 'none' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
];

function Rotation(props: ApiKeyActionsProps & { readonly onClose: () => void }) {
  const { apiKey, onIssued, onClose } = props;
  const [hours, setHours] = useState('24');
  const { shown } = useZones();
  const until = formatMoment(new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(), shown);
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      send(portal.rotateApiKey({ key_id: apiKey.id }), {
        overlap_hours: Number(hours),
      }),
    onSuccess: (issued) => {
      void client.invalidateQueries({ queryKey: ['api-keys'] });
      onIssued(issued);
      onClose();
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    >
      <p>
        A new key with the same label and permissions is made. The key that ends with{' '}
        {apiKey.last_four} {hours === '0' ? 'stops working immediately.' : `works until ${until}.`}{' '}
        No credits and no money move.
      </p>
      <div>
        <p id="overlap">How long the old key keeps working</p>
        <SegmentedControl
          aria-labelledby="overlap"
          fullWidth
          data={OVERLAPS}
          value={hours}
          onChange={setHours}
        />
      </div>
      {rotate.isError && <ProblemNotice error={rotate.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={rotate.isPending}>
          Make the new key
        </Button>
      </Group>
    </form>
  );
}
