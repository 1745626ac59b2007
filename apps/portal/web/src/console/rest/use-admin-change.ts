import { useChange, type Change } from '../../rest/use-change.js';
import { ADMIN } from './admin-queries.js';

/** Changes something by the admin REST; then every query is refreshed. */
export function useAdminChange(): Change {
  return useChange(ADMIN);
}
