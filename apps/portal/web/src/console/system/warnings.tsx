import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../ui/notice.js';
import { warningsQuery } from '../queries.js';

/** Warnings of `/readyz`: lost positions, damaged accounts. */
export function Warnings() {
  const { data = [] } = useQuery(warningsQuery);
  return data.map((warning) => (
    <Notice key={warning} tone="warn" title="Somebody has to look">
      {warning}
    </Notice>
  ));
}
