import { changePercent, formatNumber } from '../../format/credits.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import { Line } from '../../ui/charts/line.js';
import { monthsBefore, withGaps } from './month-series.js';
import css from './data.module.css';
import type { SoldData } from '../../rest/answers.js';
import { number, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

interface SeriesViewProps {
  readonly points: NonNullable<SoldData['timeseries']>;
}

const COLUMNS: Columns<SeriesViewProps['points'][number]> = [
  text('Month', ({ date }) => date.slice(0, 7)),
  number('Volume', (point) => point.real_volume),
];

/** Volume by month, as a chart and, folded, as a table. */
export function SeriesView({ points }: SeriesViewProps) {
  const last = points.at(-1);
  const yearAgo = last && points.find(({ date }) => date === monthsBefore(last.date, 12));
  return (
    <div className={css.series}>
      {last && (
        <p className={css.latest}>
          <strong>{formatNumber(last.real_volume)}</strong> in {last.date.slice(0, 7)}
          {yearAgo && (
            <>
              {' '}
              <ChangeArrow
                percent={changePercent(last.real_volume, yearAgo.real_volume)}
              /> against {yearAgo.date.slice(0, 7)}, that month alone
            </>
          )}
        </p>
      )}
      <Line
        label="Volume by month; the same numbers stand in the table below"
        name="Volume"
        points={withGaps(points)}
      />
      <details className={css.numbers}>
        <summary>The {points.length} numbers</summary>
        <DataTable
          label="Volume by month"
          columns={COLUMNS}
          rows={points}
          keyOf={({ date }) => date}
          initial="-Month"
        />
      </details>
    </div>
  );
}
