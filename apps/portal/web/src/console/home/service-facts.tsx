import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/credits.js';
import { Facts } from '../../ui/facts.js';
import { Moment } from '../../ui/moment.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { Warnings } from '../system/warnings.js';
import css from '../console.module.css';
import { projectionsQuery, verificationQuery } from '../queries.js';
import type { Projection, Verification } from '../../rest/answers.js';

const POLL_MS = 5_000;
/** The check that holds the journal against what is owed. */
const BOOKS = 'books';

/** Whether the books agree, the tables are up with the log, and what was found last. */
export function ServiceFacts() {
  const { data: projections } = useQuery({ ...projectionsQuery, refetchInterval: POLL_MS });
  const { data: verification } = useQuery(verificationQuery);
  return (
    <Panel title="Books and log" aside={<Link to={'/service' as string}>Service</Link>}>
      <div className={css.stack}>
        <Warnings />
        <Facts
          of={[
            ['Liability = journal', <Books key="books" of={verification} />],
            ['Behind the log', <Lag key="lag" of={projections} />],
            ['Last verification', <Last key="last" of={verification} />],
          ]}
        />
      </div>
    </Panel>
  );
}

function Books({ of }: { readonly of: Verification | null | undefined }) {
  if (of === undefined) return '…';
  const check = of?.checks?.find((one) => one.check === BOOKS);
  if (check === undefined) return 'not verified yet';
  if (check.differences === 0) return <Pill tone="good">they agree</Pill>;
  return <Pill tone="bad">{formatCount(check.differences, 'difference')}</Pill>;
}

function Lag({ of }: { readonly of: readonly Projection[] | undefined }) {
  if (of === undefined) return '…';
  const stopped = of.filter(({ status }) => status !== 'running').map(({ name }) => name);
  if (stopped.length > 0) return <Pill tone="bad">{`${stopped.join(', ')}: not running`}</Pill>;
  const lag = Math.max(0, ...of.map((one) => one.lag));
  return lag === 0 ? <Pill tone="good">nothing</Pill> : formatCount(lag, 'event');
}

function Last({ of }: { readonly of: Verification | null | undefined }) {
  if (of === undefined) return '…';
  if (of === null) return 'none yet';
  if (of.status === 'running') return 'under way';
  return (
    <>
      <Pill tone={of.intact === true ? 'good' : 'bad'}>
        {of.intact === true ? 'intact' : of.status === 'failed' ? 'failed' : 'differences'}
      </Pill>{' '}
      {of.ended_at !== null && <Moment at={of.ended_at} />}
    </>
  );
}
