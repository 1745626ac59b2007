import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../ui/notice.js';
import { warningsQuery } from '../rest/admin-queries.js';

/** What `/readyz` warns of: positions that were lost, accounts that are damaged. */
export function Warnings() {
  const { data = [] } = useQuery(warningsQuery);
  return data.map((warning) => (
    <Notice key={warning} tone="warn" title="Somebody has to look">
      {warning}
    </Notice>
  ));
}
