import { useChange, type Change } from '../../rest/use-change.js';
import { ADMIN } from './admin-queries.js';

/** Changes something by the admin REST; what any page has read is read anew. */
export function useAdminChange(): Change {
  return useChange(ADMIN);
}
