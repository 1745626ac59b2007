import { useQuery } from '@tanstack/react-query';
import { portal } from '../rest/portal.js';
import { all } from '../rest/reads.js';

/** The label of an API key; its beginning where there is none, or none is known yet. */
export function useKeyLabel(id: string): string {
  const { data } = useQuery({ ...all(portal.listApiKeys()), staleTime: Infinity });
  return data?.find((key) => key.id === id)?.label ?? id.slice(0, 8);
}
