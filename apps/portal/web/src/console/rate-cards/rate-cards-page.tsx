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
import css from '../console.module.css';
import { RateCardEditor } from './rate-card-editor.js';
import { rateCardsQuery } from '../queries.js';
import { dataCostText } from '../../format/data-cost.js';
import type { RateCard } from '../../rest/answers.js';
import { main, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

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

type Rule = RateCard['rules'][number];

/** Rules of the index have a column for each of its members, others one for what they match. */
function ruleColumns(product: string): Columns<Rule> {
  const members =
    product === 'v1'
      ? MATCH_MEMBERS.map((member) =>
          text<Rule>(capitalised(member), ({ match }) => match[member], 'any'),
        )
      : [text<Rule>('For', ({ match }) => matchText(match), 'any')];
  return [
    { label: 'Nr', kind: 'number', cell: (_rule, place) => place + 1 },
    main('Rule', ({ name }) => name),
    ...members,
    { label: 'Data cost', kind: 'number', cell: ({ data_cost: data }) => dataCostText(data) },
  ];
}

function matchText(match: Rule['match']): string | undefined {
  const pairs = Object.entries(match).map(([name, value]) => `${name}: ${value}`);
  return pairs.length === 0 ? undefined : pairs.join(', ');
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
          {card.product !== 'v1' && <Pill>{card.product}</Pill>}
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
      <DataTable
        label={`Rules of version ${version}`}
        columns={ruleColumns(card.product)}
        rows={rules}
        keyOf={({ name }) => name}
        isFixed
      />
    </Panel>
  );
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
