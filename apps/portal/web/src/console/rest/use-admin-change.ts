import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { change } from '../../rest/request.js';
import { ADMIN } from './admin-queries.js';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Changes something by the admin REST; what any page has read is read anew. */
export function useAdminChange() {
  const client = useQueryClient();
  return useCallback(
    async <Answer>(method: Method, path: string, body?: unknown): Promise<Answer> => {
      const answer = await change<Answer>(method, `${ADMIN}${path}`, body);
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      return answer;
    },
    [client],
  );
}
