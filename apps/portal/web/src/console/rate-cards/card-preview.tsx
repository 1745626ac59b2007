import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { changePercent, formatChange, formatNumber } from '../../format/credits.js';
import { change } from '../../rest/request.js';
import { formFaults } from '../../rest/problem.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import { addDays } from '../../format/days.js';
import css from '../console.module.css';
import { useToday } from '../console-session.js';
import { Facts } from '../../ui/facts.js';
import type { RateCardPreview } from '../rest/admin-answers.js';
import { ADMIN } from '../rest/admin-queries.js';
import { cardBody, type DraftCard } from './draft-card.js';

type Item = RateCardPreview['items'][number];

const SHOWN = 100;

const COLUMNS: readonly SortedColumn<Item>[] = [
  { name: 'account', label: 'Account', value: (item) => item.name ?? item.account_id },
  { name: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
  { name: 'did', label: 'Did cost', isNumber: true, value: (item) => item.actual_credits },
  {
    name: 'would',
    label: 'Would have cost',
    isNumber: true,
    value: (item) => item.preview_credits,
  },
  { name: 'difference', label: 'Difference', isNumber: true, value: differenceOf },
];

function differenceOf({ preview_credits: would, actual_credits: did }: Item): number {
  return would - did;
}

interface CardPreviewProps {
  readonly draft: DraftCard;
  readonly onFaults: (error: unknown) => void;
}

/** Cost of a period’s calls by the draft, account by account. */
export function CardPreview({ draft, onFaults }: CardPreviewProps) {
  const today = useToday();
  const [from, setFrom] = useState(() => addDays(today, -30));
  const [to, setTo] = useState(() => addDays(today, 1));
  const [test, setTest] = useState(false);
  const preview = useMutation({
    mutationFn: () =>
      change<RateCardPreview>('POST', `${ADMIN}/rate-cards/preview${test ? '?test=true' : ''}`, {
        ...cardBody(draft),
        from,
        to,
      }),
    onMutate: () => onFaults(null),
    onError: onFaults,
  });
  const { fields } = formFaults(preview.error, ['from', 'to']);
  return (
    <Panel title="Preview on the last month" aside="what its calls would have cost">
      <div className={css.stack}>
        <div className={css.filters}>
          <TextInput
            type="date"
            label="From"
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            error={fields.from}
          />
          <TextInput
            type="date"
            label="To (exclusive)"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            error={fields.to}
          />
          <Checkbox
            className={css.check}
            label="Test accounts too"
            checked={test}
            onChange={(event) => setTest(event.currentTarget.checked)}
          />
          <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
            Try it
          </Button>
        </div>
        {preview.data !== undefined && <Outcome preview={preview.data} />}
      </div>
    </Panel>
  );
}

function Outcome({ preview: { total, items } }: { readonly preview: RateCardPreview }) {
  if (total.calls === 0) return <Empty title="No calls in that period" />;
  const percent = changePercent(total.preview_credits, total.actual_credits);
  return (
    <>
      <Facts
        of={[
          ['Accounts', formatNumber(total.accounts)],
          ['Calls', formatNumber(total.calls)],
          ['Did cost', formatNumber(total.actual_credits)],
          ['Would have cost', formatNumber(total.preview_credits)],
          ['Difference', `${formatNumber(total.difference)} (${formatChange(percent)})`],
        ]}
      />
      <SortedTable label="By account" columns={COLUMNS} rows={items} limit={SHOWN}>
        {(item) => (
          <tr key={item.account_id}>
            <td className={mainCell}>
              <Link to={`/accounts/${item.account_id}` as string}>
                {item.name ?? item.account_id.slice(0, 8)}
              </Link>
              {item.rate_card !== null && ` (has a card of its own: ${item.rate_card})`}
            </td>
            <td className={numberCell}>{formatNumber(item.calls)}</td>
            <td className={numberCell}>{formatNumber(item.actual_credits)}</td>
            <td className={numberCell}>{formatNumber(item.preview_credits)}</td>
            <td className={numberCell}>{formatNumber(item.difference)}</td>
          </tr>
        )}
      </SortedTable>
      {items.length > SHOWN && <p className={css.note}>The {SHOWN} greatest differences.</p>}
    </>
  );
}
