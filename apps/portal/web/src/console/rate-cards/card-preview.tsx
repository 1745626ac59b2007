import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { changePercent, formatChange, formatNumber } from '../../format/credits.js';
import { formFaults } from '../../rest/problem.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { addDays } from '../../format/days.js';
import css from '../console.module.css';
import { useToday } from '../console-session.js';
import { Facts } from '../../ui/facts.js';
import { cardBody, type DraftCard } from './draft-card.js';
import { send } from '../../rest/request.js';
import { admin } from '../admin.js';
import type { RateCardPreview } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { number } from '../../ui/columns.js';

type Item = RateCardPreview['items'][number];

const SHOWN = 100;

const COLUMNS: Columns<Item> = [
  {
    label: 'Account',
    kind: 'main',
    sort: (item) => item.name ?? item.account_id,
    cell: ({ account_id: id, name, rate_card: own }) => (
      <>
        <Link to={`/accounts/${id}` as string}>{name ?? id.slice(0, 8)}</Link>
        {own !== null && ` (has a card of its own: ${own})`}
      </>
    ),
  },
  number('Calls', ({ calls }) => calls),
  number('Did cost', (item) => item.actual_credits),
  number('Would have cost', (item) => item.preview_credits),
  number('Difference', ({ difference }) => difference),
];

interface CardPreviewProps {
  readonly draft: DraftCard;
  readonly onFaults: (error: unknown) => void;
}

/** Cost of a period’s calls by the draft, account by account. */
export function CardPreview({ draft, onFaults }: CardPreviewProps) {
  const today = useToday();
  const [from, setFrom] = useState(() => addDays(today, -30));
  const [to, setTo] = useState(today);
  const [test, setTest] = useState(false);
  const preview = useMutation({
    mutationFn: () =>
      send<RateCardPreview, unknown>(admin.previewRateCard({ test }), {
        ...cardBody(draft),
        from,
        to: addDays(to, 1),
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
            label="To"
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
      <DataTable
        label="By account"
        columns={COLUMNS}
        rows={items}
        keyOf={(item) => item.account_id}
        limit={SHOWN}
      />
      {items.length > SHOWN && <p className={css.note}>The {SHOWN} greatest differences.</p>}
    </>
  );
}
