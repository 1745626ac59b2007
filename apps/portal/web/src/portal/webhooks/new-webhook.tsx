import { Button, Group, Modal, MultiSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NOTIFICATION_TYPES } from '#ledger/projections/notification-types.js';
import type { Webhook } from '../../rest/answers.js';
import { formFaults } from '../../rest/problem.js';
import { PORTAL } from '../../rest/queries.js';
import { change } from '../../rest/request.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import css from '../../ui/form.module.css';

const FIELDS = ['url', 'events', 'description'] as const;

/** Releases concern no account: only operators receive their notifications. */
const EVENTS = NOTIFICATION_TYPES.filter((type) => !type.startsWith('release.'));

interface NewWebhookProps {
  readonly onClose: () => void;
  readonly onMade: (webhook: Webhook) => void;
}

export function NewWebhook({ onClose, onMade }: NewWebhookProps) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([]);
  const [description, setDescription] = useState('');
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      change<Webhook>('POST', `${PORTAL}/webhooks`, {
        url,
        events: events.length === 0 ? null : events,
        ...(description.trim() !== '' && { description }),
      }),
    onSuccess: (webhook) => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      onMade(webhook);
      onClose();
    },
  });
  const faults = formFaults(make.error, FIELDS);
  return (
    <Modal opened onClose={onClose} title="New webhook" closeButtonProps={CLOSE} size="lg">
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextInput
          label="Address"
          type="url"
          placeholder="https://example.com/hooks/popindex"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={faults.fields.url}
          data-autofocus
        />
        <MultiSelect
          label="Events"
          placeholder={events.length === 0 ? 'everything, also what is still to come' : ''}
          data={EVENTS}
          value={events}
          onChange={setEvents}
          error={faults.fields.events}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Everything' }}
        />
        <TextInput
          label="Description (optional)"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={faults.fields.description}
        />
        <FormFaultsNotice faults={faults} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make the webhook
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
