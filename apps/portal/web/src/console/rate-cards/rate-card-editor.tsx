import { Button, Group, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays, windowOf } from '../../format/days.js';
import { formFaults, type FormFaults } from '../../rest/problem.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { useToday } from '../console-session.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { CardDiff } from './card-diff.js';
import { CardPreview } from './card-preview.js';
import { cardBody, draftOf, withNewRule, type DraftCard } from './draft-card.js';
import { RaisePrices } from './raise-prices.js';
import { RuleTable } from './rule-table.js';
import { admin } from '../admin.js';
import type { RateCard } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';

interface RateCardEditorProps {
  readonly from: RateCard;
  readonly onClose: () => void;
}

/** A new card, drawn up from an older one: its rules, what that changes, and what it would mean. */
export function RateCardEditor({ from, onClose }: RateCardEditorProps) {
  const [draft, setDraft] = useState(() => draftOf(from));
  const [faults, setFaults] = useState<FormFaults>({ fields: {}, rest: [] });
  const reading = (error: unknown) => setFaults(formFaults(error, fieldsOf(draft)));
  return (
    <>
      <RaisePrices card={from} onChange={setDraft} />
      <Panel
        title={`A new card from version ${from.version}${from.product === 'v1' ? '' : ` of ${from.product}`}`}
        aside={
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Back to all cards
          </Button>
        }
      >
        <div className={css.stack}>
          <div className={css.filters}>
            <NumberInput
              label="Credits of every call"
              thousandSeparator=","
              allowDecimal={false}
              hideControls
              value={draft.call_cost}
              onChange={(cost) => setDraft({ ...draft, call_cost: cost })}
              error={faults.fields.call_cost}
            />
          </div>
          <RuleTable draft={draft} onChange={setDraft} faults={faults} />
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setDraft(withNewRule(draft))}
            >
              Add a rule
            </Button>
          </Group>
          <FormFaultsNotice faults={faults} />
        </div>
      </Panel>
      <CardDiff card={from} draft={draft} />
      <CardPreview draft={draft} onFaults={reading} />
      <Publish draft={draft} onFaults={reading} onDone={onClose} />
    </>
  );
}

/** Where the service may find something wrong: the finest place first. */
function fieldsOf({ rules }: DraftCard): readonly string[] {
  const ofRules = rules.flatMap((_, n) => [
    `rules/${n}/name`,
    `rules/${n}/match`,
    `rules/${n}/data_cost`,
    `rules/${n}`,
  ]);
  return [...ofRules, 'call_cost'];
}

interface PublishProps {
  readonly draft: DraftCard;
  readonly onFaults: (error: unknown) => void;
  readonly onDone: () => void;
}

function Publish({ draft, onFaults, onDone }: PublishProps) {
  const next = windowOf(addDays(useToday(), 7));
  const [window, setWindow] = useState(next);
  const change = useChange();
  const refusal = useChangeRefusal();
  const publish = useMutation({
    mutationFn: (reason: string | undefined) =>
      change(admin.publishRateCard(), {
        ...cardBody(draft),
        repeat: draft.repeat,
        effective_window: window.trim() === '' ? null : window.trim(),
        ...(reason !== undefined && { reason }),
      }),
    onError: onFaults,
    onSuccess: onDone,
  });
  return (
    <Panel title="Publish">
      <div className={css.filters}>
        <TextInput
          label="From window"
          description="Empty: only for accounts that name it."
          placeholder={next}
          value={window}
          onChange={(event) => setWindow(event.currentTarget.value)}
          error={formFaults(publish.error, ['effective_window']).fields.effective_window}
        />
        <ConfirmButton
          label="Publish the card"
          size="sm"
          title={window === '' ? 'Publish this card?' : `Publish this card from ${window} on?`}
          confirm="Publish it"
          irreversible
          disabledBecause={refusal}
          onConfirm={(reason) => publish.mutateAsync(reason)}
        >
          It prices every call from then on, and cannot be changed any more, only followed by
          another.
        </ConfirmButton>
      </div>
    </Panel>
  );
}
