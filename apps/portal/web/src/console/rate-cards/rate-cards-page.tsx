import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MATCH_MEMBERS } from '#rating/match-members.js';
import { formatNumber } from '../../format/credits.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { Heads, Table, mainCell, numberCell, softCell } from '../../ui/table.js';
import css from '../console.module.css';
import type { RateCard } from '../rest/admin-answers.js';
import { rateCardsQuery } from '../rest/admin-queries.js';
import { RateCardEditor } from './rate-card-editor.js';

/** Published rate cards, and a draft of a new one made from one of them. */
export function RateCardsPage() {
  const cards = useQuery(rateCardsQuery);
  const [edited, setEdited] = useState<RateCard | null>(null);
  return (
    <Page
      wide
      title="Rate cards"
      lead="A card takes effect at the start of a window, never inside one. What is published stays."
    >
      <Loaded of={cards} rows={8}>
        {(items) => {
          if (edited !== null) {
            return <RateCardEditor from={edited} onClose={() => setEdited(null)} />;
          }
          return items
            .toReversed()
            .map((card) => <CardPanel key={card.version} card={card} onEdit={setEdited} />);
        }}
      </Loaded>
    </Page>
  );
}

interface CardPanelProps {
  readonly card: RateCard;
  readonly onEdit: (card: RateCard) => void;
}

function CardPanel({ card, onEdit }: CardPanelProps) {
  const { version, call_cost: cost, rules, effective_window: window } = card;
  return (
    <Panel
      flush
      title={
        <span className={css.pills}>
          Version {version}
          {card.in_force && <Pill tone="good">in force</Pill>}
          {!card.in_force && card.in_force_next && <Pill tone="info">next window</Pill>}
        </span>
      }
      aside={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onEdit(card)}
        >
          New card from this one
        </Button>
      }
    >
      <p className={`${css.inset} ${css.note}`}>
        {formatNumber(cost)} credits a call.{' '}
        {window === null
          ? version === 1
            ? 'Built in, from the beginning.'
            : 'Prices the accounts that name it.'
          : `From ${window} on.`}{' '}
        {card.published_at !== null && (
          <>
            Published <Moment at={card.published_at} />
            {card.reason !== null && `: “${card.reason}”`}.
          </>
        )}
      </p>
      <Table
        label={`Rules of version ${version}`}
        head={<Heads of={['#Nr', 'Rule', ...MATCH_MEMBERS.map(capitalised), '#Data cost']} />}
      >
        {rules.map(({ name, match, data_cost: data }, index) => (
          <tr key={name}>
            <td className={numberCell}>{index + 1}</td>
            <td className={mainCell}>{name}</td>
            {MATCH_MEMBERS.map((member) => (
              <td key={member} className={match[member] === undefined ? softCell : ''}>
                {match[member] ?? 'any'}
              </td>
            ))}
            <td className={numberCell}>
              {'flat' in data ? formatNumber(data.flat) : `${formatNumber(data.per_row)} a row`}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
