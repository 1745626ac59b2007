import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/credits.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { ActButton } from '../form/act-button.js';
import type { Projection, Rebuild } from '../rest/admin-answers.js';
import { projectionsQuery } from '../rest/admin-queries.js';

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
          <Table label="Projections" head={<Heads of={['Name', 'State', '#Lag', 'Rebuild']} />}>
            {items.map((projection) => (
              <ProjectionRow key={projection.name} projection={projection} />
            ))}
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}

function ProjectionRow({ projection }: { readonly projection: Projection }) {
  const { name, version, status, lag, error, rebuild, damaged_accounts: damaged } = projection;
  return (
    <tr>
      <td>
        {name}
        <div className={css.note}>version {version}</div>
      </td>
      <td className={mainCell}>
        <Pill tone={TONES[status] ?? 'plain'}>{status.replaceAll('-', ' ')}</Pill> {error}
        {damaged.map((account) => (
          <DamagedAccount key={account.account_id} account={account} />
        ))}
      </td>
      <td className={numberCell}>{formatNumber(lag)}</td>
      <td className={css.rebuild}>
        <ActButton
          label="Rebuild"
          title={`Rebuild ${name}?`}
          confirm="Rebuild it"
          method="POST"
          path={`/projections/${name}/rebuild`}
          disabled={rebuild?.status === 'running'}
        >
          It is built beside the tables that serve, and takes their place when it has caught up.
        </ActButton>
        {rebuild !== null && <RebuildState name={name} rebuild={rebuild} />}
      </td>
    </tr>
  );
}

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
