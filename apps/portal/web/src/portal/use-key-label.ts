import { useQuery } from '@tanstack/react-query';
import { apiKeysQuery } from '../rest/queries.js';

/** The label of an API key; its beginning where there is none, or none is known yet. */
export function useKeyLabel(id: string): string {
  const { data } = useQuery({ ...apiKeysQuery, staleTime: Infinity });
  return data?.find((key) => key.id === id)?.label ?? id.slice(0, 8);
}
