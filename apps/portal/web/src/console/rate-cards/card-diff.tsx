import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { differences, type DraftCard } from './draft-card.js';
import type { RateCard } from '../../rest/answers.js';
import { text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const COLUMNS: Columns<ReturnType<typeof differences>[number]> = [
  text('Rule', ({ name }) => name || '(no name)'),
  {
    label: 'Before',
    kind: 'main',
    cell: ({ before }) => <span className={css.removed}>{before || '– not there –'}</span>,
  },
  {
    label: 'After',
    kind: 'main',
    cell: ({ after }) => <span className={css.added}>{after || '– gone –'}</span>,
  },
];

interface CardDiffProps {
  readonly card: RateCard;
  readonly draft: DraftCard;
}

/** Changes of the draft against its card, updated while it is typed. */
export function CardDiff({ card, draft }: CardDiffProps) {
  const found = differences(card, draft);
  return (
    <Panel flush title="What changes" aside={`against version ${card.version}`}>
      {found.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <DataTable label="Changes" columns={COLUMNS} rows={found} isFixed />
      )}
    </Panel>
  );
}
