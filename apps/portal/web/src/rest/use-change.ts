import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Command } from '#client/operations.js';
import { send } from './request.js';

/** Changes something. Throws as `send` does. */
export type Change = <Answer, Body>(
  of: Command<Answer, Body>,
  body?: Body | FormBody,
  idempotencyKey?: string,
) => Promise<Answer>;

/** A body as somebody has typed it: the service reports what is wrong with it at its field. */
export type FormBody = Readonly<Record<string, unknown>>;

/** Changes something; then refreshes queries: those of these topics, or all but the session. */
export function useChange(...topics: readonly string[]): Change {
  const client = useQueryClient();
  const stale = topics.join(' ');
  return useCallback<Change>(
    async <Answer, Body>(
      of: Command<Answer, Body>,
      body?: Body | FormBody,
      idempotencyKey?: string,
    ) => {
      const answer = await send<Answer, Body | FormBody>(of, body, idempotencyKey);
      const isStale = (topic: unknown) =>
        stale === '' ? topic !== 'session' : stale.split(' ').includes(String(topic));
      void client.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey[0]) });
      return answer;
    },
    [client, stale],
  );
}
