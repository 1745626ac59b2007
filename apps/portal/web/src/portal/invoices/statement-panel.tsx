import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { dayOf, firstOfNextMonth, monthsBetween } from '../../format/days.js';
import { useBillingZone } from '../../ui/zones.js';
import { CopyText } from '../../ui/copy-text.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Facts, type Fact } from '../../ui/facts.js';
import css from '../../ui/form.module.css';
import { Loaded } from '../../ui/loaded.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { useAccount } from '../session.js';
import { ProofDrop } from './proof-drop.js';
import type { Statement } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

/** A month in credits, and how one proves it without asking anybody. */
export function StatementPanel() {
  const { opened_at: opened, now } = useAccount();
  const zone = useBillingZone();
  const months = monthsBetween(dayOf(opened, zone), dayOf(now, zone)).toReversed();
  const [chosen, setChosen] = useState<string | null>(null);
  // The last month that is over, where there is one.
  const month = chosen ?? months[1] ?? months[0] ?? '';
  const statement = useQuery(one(portal.getStatement({ month })));
  return (
    <Panel title="Statement in credits">
      <div className={css.form}>
        <div className={css.toolbar}>
          <Select
            label="Month"
            data={months}
            value={month}
            onChange={setChosen}
            allowDeselect={false}
          />
          <StatementFiles month={month} />
        </div>
        <Loaded of={statement} rows={3}>
          {(data) => <Facts of={factsOf(data)} />}
        </Loaded>
        <ProofDrop key={month} month={month} />
        <Proof month={month} />
      </div>
    </Panel>
  );
}

function StatementFiles({ month }: { readonly month: string }) {
  const statement = portal.getStatement({ month });
  const file = `statement-${month}`;
  return (
    <>
      <DownloadButton of={statement} file={`${file}.json`} label="JSON" accept="application/json" />
      <DownloadButton of={statement} file={`${file}.csv`} />
      <DownloadButton
        of={portal.listCalls({ from: `${month}-01`, to: firstOfNextMonth(month) })}
        file={`calls-${month}.csv`}
        label="Its calls"
      />
    </>
  );
}

function sumOf(entries: readonly { readonly credits: number }[]): number {
  return entries.reduce((sum, { credits }) => sum + credits, 0);
}

function factsOf(statement: Statement): readonly Fact[] {
  const { grants, charges, expiries, voids, adjustments, billed_credits: billed } = statement;
  const calls = charges.reduce((sum, day) => sum + day.calls, 0);
  const moved: readonly (readonly [string, number])[] = [
    ['Opening balance', statement.opening_balance],
    ['Granted', sumOf(grants)],
    [`Charged for ${formatNumber(calls)} calls`, -sumOf(charges)],
    ['Adjusted', sumOf(adjustments)],
    ['Expired or voided', -sumOf(expiries) - sumOf(voids)],
    ['Billed', billed],
    ['Closing balance', statement.closing_balance],
  ];
  const isAlways = (name: string) => name.endsWith('balance') || name.startsWith('Charged');
  return [
    [
      'State',
      <Pill key="state" tone={statement.final ? 'good' : 'plain'}>
        {statement.final ? 'final' : 'so far'}
      </Pill>,
    ],
    ...moved
      .filter(([name, credits]) => credits !== 0 || isAlways(name))
      .map(([name, credits]) => [name, formatNumber(credits)] as const),
  ];
}

function Proof({ month }: { readonly month: string }) {
  const files = `--statement statement-${month}.json --calls calls-${month}.csv`;
  const command = `npm --prefix "\${POPINDEX:?Set it to the folder of the program}" run popindex -- verify ${files}`;
  return (
    <div>
      <p>Or download both, and run this in their folder:</p>
      <CopyText value={command} what="command" />
    </div>
  );
}
