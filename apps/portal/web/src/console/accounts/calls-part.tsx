import { Drawer } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { formatExact } from '../../format/moments.js';
import type { Account, Call, Explanation } from '../../rest/answers.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { KindPill } from '../../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';
import { useZones } from '../../ui/zones.js';
import css from '../console.module.css';
import { Facts } from '../../ui/facts.js';
import { FormButton } from '../form/form-button.js';
import { callsQuery, explanationQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { GIVE_BACK } from './account-fields.js';

const REFRESH_MS = 5_000;

/** Calls, newest first; a row opens the explanation of its price. */
export function CallsPart({ account }: { readonly account: Account }) {
  const calls = useInfiniteQuery({ ...callsQuery(account.id), refetchInterval: REFRESH_MS });
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Panel flush title="Calls" aside="newest first; a row opens why it cost that">
      <Paged of={calls} empty={<Empty title="No calls yet" />}>
        {(items) => (
          <Table
            label="Calls"
            head={<Heads of={['Time', 'Key', 'Kind', '#Credits', '#Balance after']} />}
          >
            {items.map((call) => (
              <CallRow key={call.call_id} call={call} onOpen={setOpened} />
            ))}
          </Table>
        )}
      </Paged>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="min(560px, 100vw)"
        title="Why it cost that"
        closeButtonProps={CLOSE}
      >
        {opened !== null && <Explained callId={opened} />}
      </Drawer>
    </Panel>
  );
}

interface CallRowProps {
  readonly call: Call;
  readonly onOpen: (callId: string) => void;
}

function CallRow({ call, onOpen }: CallRowProps) {
  const { shown } = useZones();
  return (
    <tr>
      <td>
        <button
          type="button"
          className={css.link}
          onClick={() => onOpen(call.call_id)}
          aria-label={`Why the call of ${formatExact(call.at, shown)} cost that`}
        >
          <Moment at={call.at} />
        </button>
      </td>
      <td className={mainCell}>
        <code>{call.key}</code>
      </td>
      <td>
        <KindPill kind={call.kind} />
      </td>
      <td className={numberCell}>{formatNumber(call.credits_used)}</td>
      <td className={numberCell}>{formatNumber(call.balance_after)}</td>
    </tr>
  );
}

function Explained({ callId }: { readonly callId: string }) {
  const explanation = useQuery(explanationQuery(callId));
  const change = useAdminChange();
  return (
    <Loaded of={explanation} rows={10}>
      {(call) => (
        <div className={css.stack}>
          <Facts of={factsOf(call)} />
          <div className={css.actions}>
            {call.adjusted_by === null && call.credited_by.length === 0 && (
              <FormButton
                label="Give it back"
                title="Give this call back"
                fields={GIVE_BACK}
                submit="Give it back"
                onSubmit={(body) => change('POST', `/calls/${call.call_id}/give-back`, body)}
              />
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}

function factsOf(call: Explanation): readonly (readonly [string, React.ReactNode])[] {
  return [
    ['Time', <Moment key="at" at={call.at} />],
    ['Asked for', <code key="asked">{call.asked}</code>],
    ['Charged', `${formatNumber(call.credits_used)} (${call.kind})`],
    ['Rate card', `version ${call.rate_card}, rule “${call.rule}”`],
    ['Rows', formatNumber(call.rows)],
    ['Call and data', `${formatNumber(call.call_cost)} + ${formatNumber(call.data_cost)}`],
    ['Balance', `${formatNumber(call.balance_before)} → ${formatNumber(call.balance_after)}`],
    ['Window', `${call.window} (data of ${call.data_window}, release ${call.release})`],
    ['Log', `lane ${call.log.lane}, position ${call.log.position}`],
    [
      'Invoice',
      call.invoice_line === null
        ? 'not yet'
        : `${call.invoice_line.number}, line ${call.invoice_line.line}`,
    ],
    ['Given back', call.adjusted_by === null ? call.credited_by.join(', ') || 'no' : 'yes'],
    ['Call-Id', <code key="id">{call.call_id}</code>],
  ];
}
