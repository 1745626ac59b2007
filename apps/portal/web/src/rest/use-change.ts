import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { change } from './request.js';

/** Changes something behind the prefix of a REST. */
export type Change = <Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<Answer>;

/**
 * Changes something by the REST with this prefix; then refreshes queries: those of these topics, or
 * all but the session.
 */
export function useChange(rest: string, ...topics: readonly string[]): Change {
  const client = useQueryClient();
  const stale = topics.join(' ');
  return useCallback<Change>(
    async <Answer>(method: Parameters<Change>[0], path: string, body?: unknown) => {
      const answer = await change<Answer>(method, `${rest}${path}`, body);
      const isStale = (topic: unknown) =>
        stale === '' ? topic !== 'session' : stale.split(' ').includes(String(topic));
      void client.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey[0]) });
      return answer;
    },
    [client, rest, stale],
  );
}
