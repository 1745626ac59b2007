import { ActionIcon, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { MATCH_MEMBERS } from '#rating/match-members.js';
import type { FormFaults } from '../../rest/problem.js';
import { Icon } from '../../ui/icon.js';
import { Heads, Table } from '../../ui/table.js';
import css from '../console.module.css';
import { choicesOf, moved, type DraftCard, type DraftRule } from './draft-card.js';

interface RuleTableProps {
  readonly draft: DraftCard;
  readonly onChange: (draft: DraftCard) => void;
  readonly faults: FormFaults;
}

/** The rules in the order in which they are tried. */
export function RuleTable({ draft, onChange, faults }: RuleTableProps) {
  const { rules } = draft;
  const set = (index: number, part: Partial<DraftRule>) =>
    onChange({
      ...draft,
      rules: rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)),
    });
  const heads = [
    'Rule',
    ...MATCH_MEMBERS.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  ];
  return (
    <div className={css.rules}>
      <Table label="Rules" head={<Heads of={[...heads, 'Credits', 'For', '!Actions']} />}>
        {rules.map((rule, index) => (
          <tr key={rule.id}>
            <RuleCells rule={rule} index={index} onChange={set} faults={faults} />
            <td>
              <div className={css.actions}>
                <RowButton
                  label={`Move rule ${index + 1} up`}
                  icon="up"
                  disabled={index === 0}
                  onClick={() => onChange({ ...draft, rules: moved(rules, index, -1) })}
                />
                <RowButton
                  label={`Move rule ${index + 1} down`}
                  icon="fall"
                  disabled={index === rules.length - 1}
                  onClick={() => onChange({ ...draft, rules: moved(rules, index, 1) })}
                />
                <RowButton
                  label={`Remove rule ${index + 1}`}
                  icon="trash"
                  disabled={rules.length === 1}
                  onClick={() => onChange({ ...draft, rules: rules.toSpliced(index, 1) })}
                />
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

interface RuleCellsProps {
  readonly rule: DraftRule;
  readonly index: number;
  readonly onChange: (index: number, part: Partial<DraftRule>) => void;
  readonly faults: FormFaults;
}

function RuleCells({ rule, index, onChange, faults }: RuleCellsProps) {
  const fault = (member: string) => faults.fields[`rules/${index}/${member}`];
  const of = `of rule ${index + 1}`;
  return (
    <>
      <td className={css.cell} data-wide>
        <TextInput
          size="xs"
          aria-label={`Name ${of}`}
          value={rule.name}
          onChange={(event) => onChange(index, { name: event.currentTarget.value })}
          error={fault('name') ?? faults.fields[`rules/${index}`] ?? fault('match')}
        />
      </td>
      {MATCH_MEMBERS.map((member) => (
        <td key={member} className={css.cell} data-middle={member === 'resource' || undefined}>
          <MatchInput
            label={`${member} ${of}`}
            choices={choicesOf(member)}
            value={rule.match[member] ?? ''}
            onChange={(value) => onChange(index, { match: { ...rule.match, [member]: value } })}
          />
        </td>
      ))}
      <td className={css.cell}>
        <NumberInput
          size="xs"
          aria-label={`Credits ${of}`}
          thousandSeparator=","
          allowDecimal={false}
          hideControls
          value={rule.credits}
          onChange={(credits) => onChange(index, { credits })}
          error={fault('data_cost')}
        />
      </td>
      <td className={css.cell} data-middle>
        <NativeSelect
          size="xs"
          aria-label={`What the credits ${of} are for`}
          data={[
            { value: 'flat', label: 'any answer' },
            { value: 'per_row', label: 'each row' },
          ]}
          value={rule.per}
          onChange={(event) =>
            onChange(index, { per: event.currentTarget.value as DraftRule['per'] })
          }
        />
      </td>
    </>
  );
}

interface MatchInputProps {
  readonly label: string;
  readonly choices: readonly string[] | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function MatchInput({ label, choices, value, onChange }: MatchInputProps) {
  if (choices === undefined) {
    return (
      <TextInput
        size="xs"
        aria-label={label}
        placeholder="any"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      data={[{ value: '', label: 'any' }, ...choices]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface RowButtonProps {
  readonly label: string;
  readonly icon: 'up' | 'fall' | 'trash';
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function RowButton({ label, icon, disabled, onClick }: RowButtonProps) {
  return (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} size={14} />
    </ActionIcon>
  );
}
