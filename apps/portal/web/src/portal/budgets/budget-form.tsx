import { Button, Group, Modal, NumberInput, Radio, Select, TagsInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formFaults } from '../../rest/problem.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import css from '../../ui/form.module.css';
import { BudgetTrial } from './budget-trial.js';
import type { BudgetDetails } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';

interface Draft {
  readonly period: 'month' | 'window';
  readonly limit: number | string;
  readonly thresholds: readonly string[];
  readonly action: 'alert' | 'block';
  readonly apiKeyId: string | null;
  readonly emails: readonly string[];
}

const FIELDS = ['period', 'limit_credits', 'thresholds', 'action', 'api_key_id', 'notify'] as const;

function draftOf(budget: BudgetDetails | null): Draft {
  return {
    period: budget?.period ?? 'month',
    limit: budget?.limit_credits ?? '',
    thresholds: (budget?.thresholds ?? [50, 80, 100]).map(String),
    action: budget?.action ?? 'alert',
    apiKeyId: budget?.api_key_id ?? null,
    emails: budget?.notify?.emails ?? [],
  };
}

/** As the service takes it; what is no number is sent as it was typed, and refused at its field. */
function bodyOf({ period, limit, thresholds, action, apiKeyId, emails }: Draft) {
  return {
    period,
    limit_credits: limit === '' ? null : limit,
    thresholds: thresholds.map((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    action,
    api_key_id: apiKeyId,
    notify: emails.length === 0 ? null : { emails },
  };
}

interface BudgetFormProps {
  /** Null: a new one. */
  readonly budget: BudgetDetails | null;
  readonly onClose: () => void;
}

export function BudgetForm({ budget, onClose }: BudgetFormProps) {
  const [draft, setDraft] = useState(() => draftOf(budget));
  const change = useChange('budgets', 'alerts');
  const save = useMutation({
    mutationFn: () =>
      budget === null
        ? change(portal.createBudget(), bodyOf(draft))
        : change(portal.replaceBudget({ budget_id: budget.id }), bodyOf(draft)),
    onSuccess: onClose,
  });
  const title = budget === null ? 'New budget' : 'Change the budget';
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={CLOSE} size="lg">
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <BudgetFields draft={draft} onChange={setDraft} error={save.error} />
        <FormFaultsNotice faults={formFaults(save.error, FIELDS)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {budget === null ? 'Set the budget' : 'Save'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface BudgetFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly error: unknown;
}

function BudgetFields({ draft, onChange, error }: BudgetFieldsProps) {
  const { fields } = formFaults(error, FIELDS);
  const set = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <>
      <div className={css.row}>
        <Radio.Group
          label="Period"
          value={draft.period}
          onChange={(period) => set({ period: period as Draft['period'] })}
          error={fields.period}
        >
          <Group gap="md" mt={6}>
            <Radio value="month" label="Month" />
            <Radio value="window" label="Window (Tuesday week)" />
          </Group>
        </Radio.Group>
        <NumberInput
          label="Limit in credits"
          thousandSeparator=","
          min={1}
          allowDecimal={false}
          value={draft.limit}
          onChange={(limit) => set({ limit })}
          error={fields.limit_credits}
          data-autofocus
        />
      </div>
      <Radio.Group
        label="At the limit"
        value={draft.action}
        onChange={(action) => set({ action: action as Draft['action'] })}
        error={fields.action}
      >
        <Group gap="md" mt={6}>
          <Radio value="alert" label="Only alert" />
          <Radio value="block" label="Refuse calls that would exceed it" />
        </Group>
      </Radio.Group>
      {draft.action === 'block' && typeof draft.limit === 'number' && draft.limit > 0 && (
        <BudgetTrial
          limit={{
            period: draft.period,
            limit_credits: draft.limit,
            api_key_id: draft.apiKeyId,
          }}
        />
      )}
      <TagsInput
        label="Alert at (percent)"
        description="One alert for each, once a period. Enter adds one."
        value={[...draft.thresholds]}
        onChange={(thresholds) => set({ thresholds })}
        error={fields.thresholds}
      />
      <KeyField draft={draft} onChange={set} error={fields.api_key_id} />
      <TagsInput
        label="E-mail to"
        description="Webhooks receive every alert. Enter adds an address."
        placeholder={draft.emails.length === 0 ? 'billing@example.com' : ''}
        value={[...draft.emails]}
        onChange={(emails) => set({ emails })}
        error={fields.notify}
        acceptValueOnBlur
      />
    </>
  );
}

interface KeyFieldProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly error: string | undefined;
}

function KeyField({ draft, onChange, error }: KeyFieldProps) {
  const keys = useQuery(all(portal.listApiKeys()));
  const active = (keys.data ?? []).filter(({ status }) => status === 'active');
  return (
    <Select
      label="Whose calls count"
      placeholder="The whole account"
      clearable
      data={active.map((key) => ({ value: key.id, label: key.label ?? `…${key.last_four}` }))}
      value={draft.apiKeyId}
      onChange={(apiKeyId) => onChange({ apiKeyId })}
      error={error}
      clearButtonProps={{ 'aria-label': 'The whole account' }}
    />
  );
}
