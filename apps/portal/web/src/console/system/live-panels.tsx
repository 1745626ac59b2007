import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { formatCompact, formatNumber } from '../../format/credits.js';
import { Bars } from '../../ui/charts/bars.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { Facts } from '../../ui/facts.js';
import { parseMetrics, totalOf } from './metrics-text.js';
import { ratesBetween, refusalsOf, type Rates, type Reading } from './throughput.js';
import { download } from '../../rest/request.js';
import { main, number } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const POLL_MS = 2_000;
const KEPT = 60;

async function readMetrics(): Promise<Reading> {
  const text = await (await download({ id: 'getMetrics', path: '/metrics' }, 'text/plain')).text();
  return { at: performance.now(), samples: parseMetrics(text) };
}

interface LiveReadings {
  readonly last: Reading | null;
  readonly rates: readonly Rates[];
}

/** Readings become rates as they arrive; the last two minutes of them are kept. */
function useRates(reading: Reading | undefined): readonly Rates[] {
  const [{ rates }, watch] = useState<LiveReadings>({ last: null, rates: [] });
  useEffect(() => {
    if (reading === undefined) return;
    watch(({ last, rates: before }) => {
      if (last === null || last.at === reading.at) return { last: reading, rates: before };
      return { last: reading, rates: [...before, ratesBetween(last, reading)].slice(-KEPT) };
    });
  }, [reading]);
  return rates;
}

/** Calls, credits and refusals of this process right now. */
export function LivePanels() {
  const metrics = useQuery({
    queryKey: ['metrics'],
    queryFn: readMetrics,
    refetchInterval: POLL_MS,
    gcTime: 0,
  });
  const rates = useRates(metrics.data);
  return (
    <>
      {metrics.isError && metrics.data !== undefined && (
        <Notice tone="warn" title="Not answered just now">
          Calls and rates are from before.
        </Notice>
      )}
      <Loaded of={metrics} rows={8}>
        {(reading) => (
          <>
            <Now rates={rates.at(-1)} reading={reading} />
            <div className={css.columns}>
              <Panel title="Calls a second" aside="the last two minutes">
                <Throughput rates={rates} />
              </Panel>
              <Refusals reading={reading} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

interface NowProps {
  readonly rates: Rates | undefined;
  readonly reading: Reading;
}

function Now({ rates, reading: { samples } }: NowProps) {
  const a = (value: number | undefined) =>
    value === undefined ? '…' : `${formatNumber(Math.round(value * 10) / 10)}/s`;
  const lag = totalOf(samples, 'popindex_projection_lag_events');
  const figure = (text: string, isBad = false) => (
    <span className={css.figure} {...(isBad && { 'data-tone': 'bad' })}>
      {text}
    </span>
  );
  const calls = rates && rates.base + rates.repeat;
  return (
    <Panel>
      <Facts
        of={[
          ['Charged calls', figure(a(calls))],
          ['Credits', figure(a(rates?.credits))],
          ['Refused', figure(a(rates?.refused), (rates?.refused ?? 0) > 0)],
          ['Waiting', figure(formatNumber(totalOf(samples, 'popindex_waiting_commands')))],
          ['Behind the log', figure(formatNumber(lag), lag > 10_000)],
          [
            'Deliveries pending',
            figure(formatNumber(totalOf(samples, 'popindex_deliveries_pending'))),
          ],
          [
            'Charged since the start',
            figure(formatCompact(totalOf(samples, 'popindex_charges_total'))),
          ],
        ]}
      />
    </Panel>
  );
}

const SERIES = [
  { name: 'base', label: 'base', color: 'var(--base)' },
  { name: 'repeat', label: 'repeat', color: 'var(--repeat)' },
  { name: 'refused', label: 'refused', color: '#d0453b' },
];

function Throughput({ rates }: { readonly rates: readonly Rates[] }) {
  const last = rates.at(-1)?.at ?? 0;
  const rows = rates.map(({ at, base, repeat, refused }) => ({
    at: at === last ? 'now' : `−${Math.round((last - at) / 1_000)} s`,
    base,
    repeat,
    refused,
  }));
  return (
    <Bars
      label="Charged and refused calls a second over the last two minutes"
      rows={rows}
      dataKey="at"
      series={SERIES}
      stacked
      unit="a second"
    />
  );
}

const REFUSALS: Columns<readonly [reason: string, calls: number]> = [
  main('Reason', ([reason]) => reason),
  number('Calls', ([, calls]) => calls),
];

function Refusals({ reading }: { readonly reading: Reading }) {
  const refusals = refusalsOf(reading.samples);
  return (
    <Panel flush title="Refusals" aside="since the process started">
      {refusals.length === 0 ? (
        <Empty title="No call was refused" />
      ) : (
        <DataTable
          label="Refusals"
          columns={REFUSALS}
          rows={refusals}
          keyOf={([reason]) => reason}
          isFixed
        />
      )}
    </Panel>
  );
}
