import { RESOURCES } from '#rating/resource.js';
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
  const resource = resourceOfKey(path);
  const list = resource && RESOURCES[resource.resource].list;
  if (list === 'timeseries' && data.timeseries) return <SeriesView points={data.timeseries} />;
  const ranked = list === undefined || list === 'timeseries' ? undefined : data[list];
  if (ranked === undefined) return <Empty title="Nothing to show" />;
  return <RankedTable items={ranked} region={resource?.region ?? 'us'} path={path} />;
}
