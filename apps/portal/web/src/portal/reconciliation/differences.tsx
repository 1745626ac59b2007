import { Button, Modal } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChangeForm } from '../../form/change-form.js';
import type { Field } from '../../form/fields.js';
import { formatNumber } from '../../format/credits.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Paged } from '../../ui/paged.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';
import { useCanManage } from '../session.js';
import type { LogDifference } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { pages } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';

const NAMES: Readonly<Record<LogDifference['kind'], readonly [string, Tone]>> = {
  missing_here: ['missing here', 'warn'],
  missing_there: ['missing in the log', 'bad'],
  different: ['different', 'bad'],
};

const COLUMNS: readonly SortedColumn<LogDifference>[] = [
  { name: 'kind', label: 'Difference', value: (one) => NAMES[one.kind][0] },
  { name: 'line', label: 'Line', isNumber: true, value: (one) => one.line },
  { name: 'time', label: 'Time', value: (one) => one.at ?? one.logged_at },
  { name: 'url', label: 'URL', value: (one) => one.key ?? one.logged_url },
  { name: 'logged', label: 'Logged', isNumber: true, value: (one) => one.logged_credits },
  { name: 'charged', label: 'Charged', isNumber: true, value: (one) => one.credits },
  { name: '', label: 'Actions' },
];

/** In what a log and the calls differ; each difference can be disputed. */
export function Differences({ reconciliationId }: { readonly reconciliationId: string }) {
  const differences = useInfiniteQuery(
    pages(portal.listLogDifferences({ reconciliation_id: reconciliationId, limit: 200 })),
  );
  const [disputed, setDisputed] = useState<LogDifference | null>(null);
  const canManage = useCanManage();
  return (
    <>
      <Paged of={differences} empty={<Empty title="The log and the calls agree" />}>
        {(items) => (
          <SortedTable label="Differences" columns={COLUMNS} rows={items}>
            {(one) => (
              <tr key={`${one.line} ${one.call_id}`}>
                <td>
                  <Pill tone={NAMES[one.kind][1]}>{NAMES[one.kind][0]}</Pill> {one.in.join(', ')}
                </td>
                <td className={numberCell}>{one.line ?? '–'}</td>
                <td>
                  <Moment at={one.at ?? one.logged_at ?? ''} />
                </td>
                <td className={mainCell}>
                  {one.key === null ? (
                    <code>{one.logged_url}</code>
                  ) : (
                    <ResourceName path={one.key} withWindow />
                  )}
                </td>
                <td className={numberCell}>{creditsOf(one.logged_credits)}</td>
                <td className={numberCell}>{creditsOf(one.credits)}</td>
                <td>
                  {one.call_id !== null && (
                    <Link to="/calls" search={{ call: one.call_id }}>
                      Explain or dispute
                    </Link>
                  )}
                  {one.call_id === null && canManage && (
                    <Button variant="default" size="compact-sm" onClick={() => setDisputed(one)}>
                      Dispute
                    </Button>
                  )}
                </td>
              </tr>
            )}
          </SortedTable>
        )}
      </Paged>
      <Modal
        opened={disputed !== null}
        onClose={() => setDisputed(null)}
        title="Dispute a request that is missing here"
        closeButtonProps={CLOSE}
        centered
      >
        {disputed !== null && <DisputeMissing of={disputed} onCancel={() => setDisputed(null)} />}
      </Modal>
    </>
  );
}

const REASON: readonly Field[] = [{ name: 'reason', label: 'What is wrong?', kind: 'area' }];

function DisputeMissing(props: { readonly of: LogDifference; readonly onCancel: () => void }) {
  const { line, logged_at: at, logged_url: url } = props.of;
  const change = useChange('disputes');
  const navigate = useNavigate();
  return (
    <ChangeForm
      fields={REASON}
      initial={{ reason: `Line ${line} of our log has no call here: ${at} ${url}` }}
      submit="Open the dispute"
      onSubmit={(body) => change(portal.openDispute(), { ...body, call_ids: [] })}
      onDone={() => void navigate({ to: '/disputes' })}
      onCancel={props.onCancel}
    />
  );
}

function creditsOf(credits: number | null): string {
  return credits === null ? '–' : formatNumber(credits);
}
