import { changePercent, formatNumber } from '../../format/credits.js';
import type { SoldData } from '../../rest/data-answers.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import { Line } from '../../ui/charts/line.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import { monthsBefore, withGaps } from './month-series.js';
import css from './data.module.css';

interface SeriesViewProps {
  readonly points: NonNullable<SoldData['timeseries']>;
}

const COLUMNS: readonly SortedColumn<SeriesViewProps['points'][number]>[] = [
  { name: 'month', label: 'Month', value: ({ date }) => date },
  { name: 'volume', label: 'Volume', isNumber: true, value: (point) => point.real_volume },
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
        <SortedTable label="Volume by month" columns={COLUMNS} rows={points} initial="-month">
          {({ date, real_volume: volume }) => (
            <tr key={date}>
              <td>{date.slice(0, 7)}</td>
              <td className={numberCell}>{formatNumber(volume)}</td>
            </tr>
          )}
        </SortedTable>
      </details>
    </div>
  );
}
