import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formFaults } from '../../rest/problem.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import css from '../../ui/form.module.css';
import type { IssuedApiKey } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { useChange } from '../../rest/use-change.js';

const FIELDS = ['label', 'scopes', 'expires_at'] as const;

interface NewApiKeyProps {
  readonly onClose: () => void;
  readonly onIssued: (issued: IssuedApiKey) => void;
}

interface NewKey {
  readonly label: string;
  readonly scopes: readonly string[];
  readonly expires_at?: string;
}

function useIssue({ onClose, onIssued }: NewApiKeyProps) {
  const change = useChange('api-keys');
  return useMutation({
    mutationFn: (key: NewKey) => change(portal.issueApiKey(), { ...key }),
    onSuccess: (issued) => {
      onIssued(issued);
      onClose();
    },
  });
}

export function NewApiKey(props: NewApiKeyProps) {
  const { onClose } = props;
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState(['data', 'account:read']);
  const [expires, setExpires] = useState('');
  const issue = useIssue(props);
  const faults = formFaults(issue.error, FIELDS);
  return (
    <Modal opened onClose={onClose} title="New API key" closeButtonProps={CLOSE}>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const ends = expires !== '' && { expires_at: new Date(expires).toISOString() };
          issue.mutate({ label, scopes, ...ends });
        }}
      >
        <TextInput
          label="Label"
          description="Who or what uses it: it stands beside every call."
          placeholder="Nightly report"
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={faults.fields.label}
          data-autofocus
        />
        <Checkbox.Group
          label="May"
          value={scopes}
          onChange={setScopes}
          error={faults.fields.scopes}
        >
          <Stack gap="xs" mt={6}>
            <Checkbox value="data" label="Pull data" />
            <Checkbox value="account:read" label="Read the account" />
            <Checkbox
              value="account:write"
              label="Change the account"
              description="Budgets, webhooks, disputes and the rotation of keys: for programs you trust with them."
            />
          </Stack>
        </Checkbox.Group>
        <TextInput
          type="datetime-local"
          label="Expires (optional)"
          description="In your own time zone."
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
          error={faults.fields.expires_at}
        />
        <FormFaultsNotice faults={faults} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={issue.isPending}>
            Make the key
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
