import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Field } from '../../form/fields.js';
import { FormButton } from '../../form/form-button.js';
import { all } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { Moment } from '../../ui/moment.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { admin } from '../admin.js';
import { useConsoleSession, useToday } from '../console-session.js';

const REASON: readonly Field[] = [
  {
    name: 'reason',
    label: 'Reason',
    placeholder: 'Handed over to the accountant.',
    description:
      'What is due is issued first. From then on the files of the month never change, and no ' +
      'payment or document can be dated in it. An owner can reopen it.',
  },
];

/** Closes the books of a month, and shows beforehand what stands against it. */
export function CloseMonth({ month }: { readonly month: string }) {
  const { role } = useConsoleSession();
  const today = useToday();
  const change = useChange();
  const held = useQuery(all(admin.listInvoices({ status: 'held', test: false })));
  const periods = useQuery(all(admin.listPeriods({})));
  const closed = periods.data?.find((one) => one.month === month && one.status === 'closed');
  const open = held.data?.filter((one) => one.month <= month);
  const hasEnded = month < today.slice(0, 7);
  const facts: readonly Fact[] = [
    ['The month has ended', <Tick key="ended" isMet={hasEnded} />],
    [
      'No invoice up to it is held',
      <Tick key="held" isMet={open?.length === 0}>
        {open !== undefined && open.length > 0 && (
          <Link to={'/invoices' as string}>{`${open.length} held`}</Link>
        )}
      </Tick>,
    ],
    [
      'The books are closed',
      <Tick key="closed" isMet={closed !== undefined}>
        {closed && <Moment at={closed.at} />}
      </Tick>,
    ],
  ];
  const canClose = hasEnded && open?.length === 0 && closed === undefined && role === 'owner';
  return (
    <Panel title="Close the month" aside="its files never change afterwards">
      <Stack align="flex-start">
        <Facts of={facts} />
        {canClose && (
          <FormButton
            label={`Close ${month}`}
            title={`Close the books of ${month} and of all months before it?`}
            fields={REASON}
            submit="Close the books"
            onSubmit={(body) => change(admin.closePeriod({ month }), body)}
          />
        )}
      </Stack>
    </Panel>
  );
}

interface TickProps {
  readonly isMet: boolean;
  readonly children?: ReactNode;
}

function Tick({ isMet, children }: TickProps) {
  return (
    <>
      <Pill tone={isMet ? 'good' : 'plain'}>{isMet ? 'yes' : 'not yet'}</Pill> {children}
    </>
  );
}
