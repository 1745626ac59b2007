import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/credits.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import css from '../console.module.css';
import { ActButton } from '../../form/act-button.js';
import { admin } from '../admin.js';
import { projectionsQuery } from '../queries.js';
import type { Projection, Rebuild } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { number } from '../../ui/columns.js';

const TONES: Readonly<Record<string, Tone>> = {
  running: 'good',
  stopped: 'plain',
  'waiting-for-database': 'warn',
  outdated: 'warn',
  failed: 'bad',
};

/** Projections with their lag and a button that rebuilds them. */
export function ProjectionsPanel() {
  const projections = useQuery(projectionsQuery);
  return (
    <Panel flush title="Projections" aside="tables that follow the log, refreshed each second">
      <Loaded of={projections}>
        {(items) => (
          <DataTable
            label="Projections"
            columns={COLUMNS}
            rows={items}
            keyOf={({ name }) => name}
            isFixed
          />
        )}
      </Loaded>
    </Panel>
  );
}

const COLUMNS: Columns<Projection> = [
  {
    label: 'Name',
    cell: ({ name, version }) => (
      <>
        {name}
        <div className={css.note}>version {version}</div>
      </>
    ),
  },
  {
    label: 'State',
    kind: 'main',
    cell: ({ status, error, damaged_accounts: damaged }) => (
      <>
        <Pill tone={TONES[status] ?? 'plain'}>{status.replaceAll('-', ' ')}</Pill> {error}
        {damaged.map((account) => (
          <DamagedAccount key={account.account_id} account={account} />
        ))}
      </>
    ),
  },
  number('Lag', ({ lag }) => lag),
  {
    label: 'Rebuild',
    cell: ({ name, rebuild }) => (
      <div className={css.rebuild}>
        <ActButton
          label="Rebuild"
          title={`Rebuild ${name}?`}
          confirm="Rebuild it"
          of={admin.rebuildProjection({ name })}
          disabled={rebuild?.status === 'running'}
        >
          It is built beside the tables that serve, and takes their place when it has caught up.
        </ActButton>
        {rebuild !== null && <RebuildState name={name} rebuild={rebuild} />}
      </div>
    ),
  },
];

function DamagedAccount({ account }: { readonly account: Projection['damaged_accounts'][number] }) {
  const { account_id: id, lane, position, error } = account;
  return (
    <div className={css.note}>
      <Pill tone="bad">damaged account</Pill> <Link to={`/accounts/${id}` as string}>{id}</Link>,
      lane {lane}, position {formatNumber(position)}: {error}
    </div>
  );
}

interface RebuildStateProps {
  readonly name: string;
  readonly rebuild: Rebuild;
}

function RebuildState({ name, rebuild }: RebuildStateProps) {
  const { status, stage, events, events_total: total, ended_at: ended, error } = rebuild;
  if (status === 'running') {
    const percent = total === 0 ? 0 : Math.min(100, (events / total) * 100);
    return (
      <div>
        <Progress value={percent} animated aria-label={`Rebuild of ${name}`} />
        <span className={css.note}>
          {stage.replaceAll('-', ' ')}: {formatNumber(events)} of {formatNumber(total)} events
        </span>
      </div>
    );
  }
  return (
    <div>
      <Pill tone={status === 'done' ? 'good' : 'bad'}>{status}</Pill>{' '}
      {ended !== null && <Moment at={ended} />}
      {error !== null && <p className={css.note}>{error}</p>}
    </div>
  );
}
