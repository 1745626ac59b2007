import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Heads, Table, mainCell } from '../../ui/table.js';
import css from '../console.module.css';
import type { RateCard } from '../rest/admin-answers.js';
import { differences, type DraftCard } from './draft-card.js';

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
        <Table label="Changes" head={<Heads of={['Rule', 'Before', 'After']} />}>
          {found.map(({ name, before, after }) => (
            <tr key={name}>
              <td>{name || '(no name)'}</td>
              <td className={`${mainCell} ${css.removed}`}>{before || '– not there –'}</td>
              <td className={`${mainCell} ${css.added}`}>{after || '– gone –'}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
