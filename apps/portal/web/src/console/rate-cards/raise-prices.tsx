import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import type { DraftCard } from './draft-card.js';
import { raisedCard } from './raised-prices.js';
import type { RateCard } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { main, number } from '../../ui/columns.js';

interface RaisePricesProps {
  readonly card: RateCard;
  readonly onChange: (draft: DraftCard) => void;
}

/** One field that raises all prices of a card, and how each is rounded. */
export function RaisePrices({ card, onChange }: RaisePricesProps) {
  const [factor, setFactor] = useState('');
  const raised = raisedCard(card, factor);
  const isWrong = factor.trim() !== '' && raised === null;
  return (
    <Panel title="Raise all prices">
      <div className={css.stack}>
        <div className={css.filters}>
          <TextInput
            label="All prices ×"
            description="Whole credits; halves are rounded up."
            placeholder="1.1"
            inputMode="decimal"
            value={factor}
            onChange={({ currentTarget: { value } }) => {
              setFactor(value);
              const next = raisedCard(card, value);
              if (next !== null) onChange(next.draft);
            }}
            error={isWrong && 'A number like 1.1'}
          />
        </div>
        {raised !== null && (
          <DataTable label="Rounding" columns={PRICES} rows={raised.prices} isFixed />
        )}
      </div>
    </Panel>
  );
}

/** `54989.5` → `54,989.5` */
function grouped(exactly: string): string {
  return exactly.replace(/^\d+/, (whole) => formatNumber(Number(whole)));
}

const PRICES: Columns<NonNullable<ReturnType<typeof raisedCard>>['prices'][number]> = [
  main('Price', ({ name }) => name),
  number('Before', ({ before }) => before),
  { label: 'Exactly', kind: 'number', cell: ({ exactly }) => grouped(exactly) },
  number('Rounded', ({ after }) => after),
];
