import { queryOptions } from '@tanstack/react-query';
import type { LogDifference, ReconciliationSums } from '../../rest/answers.js';
import { listQuery, PORTAL, readAll } from '../../rest/queries.js';

export const reconciliationsQuery = queryOptions({
  queryKey: ['reconciliations'],
  queryFn: ({ signal }) =>
    readAll<ReconciliationSums>(`${PORTAL}/reconciliations?order=desc`, signal),
});

export function logDifferencesQuery(id: string) {
  const path = `${PORTAL}/reconciliations/${id}/differences`;
  return listQuery<LogDifference>(['reconciliations', id], path, { limit: 200 });
}
