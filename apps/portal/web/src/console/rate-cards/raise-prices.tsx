import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { Panel } from '../../ui/page.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import type { RateCard } from '../rest/admin-answers.js';
import type { DraftCard } from './draft-card.js';
import { raisedCard } from './raised-prices.js';

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
          <Table
            label="Rounding"
            head={<Heads of={['Price', '#Before', '#Exactly', '#Rounded']} />}
          >
            {raised.prices.map(({ name, before, exactly, after }) => (
              <tr key={name}>
                <td className={mainCell}>{name}</td>
                <td className={numberCell}>{formatNumber(before)}</td>
                <td className={numberCell}>{grouped(exactly)}</td>
                <td className={numberCell}>{formatNumber(after)}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </Panel>
  );
}

/** `54989.5` → `54,989.5` */
function grouped(exactly: string): string {
  return exactly.replace(/^\d+/, (whole) => formatNumber(Number(whole)));
}
