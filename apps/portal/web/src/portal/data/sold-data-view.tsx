import { resourceOfKey } from '#rating/resource-path.js';
import type { SoldData } from '../../rest/data-answers.js';
import { Empty } from '../../ui/notice.js';
import { RankedTable } from './ranked-table.js';
import { SeriesView } from './series-view.js';

interface SoldDataViewProps {
  readonly data: SoldData;
  readonly path: string;
}

/** A ranked table, or a time series: whatever the path sells. */
export function SoldDataView({ data, path }: SoldDataViewProps) {
  const region = resourceOfKey(path)?.region ?? 'us';
  const ranked = data.trends ?? data.brands;
  if (ranked !== undefined) return <RankedTable items={ranked} region={region} path={path} />;
  if (data.timeseries !== undefined) return <SeriesView points={data.timeseries} />;
  return <Empty title="Nothing to show" />;
}
