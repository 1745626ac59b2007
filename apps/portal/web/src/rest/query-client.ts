import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ConnectionError, ProblemError } from '#client/problem-error.js';
import { retryAfterMs } from '#client/retry.js';
import { isSignedOut } from './problem.js';

const RETRIES_MAX = 5;

/** True if a failed read is retried: a refusal is not, an outage is. */
function isTriedAgain(failures: number, error: unknown): boolean {
  const isAway = error instanceof ProblemError && error.status >= 500;
  return (isAway || error instanceof ConnectionError) && failures < RETRIES_MAX;
}

function retryDelayMs(attempt: number, error: unknown): number {
  const askedMs = error instanceof ProblemError ? retryAfterMs(error.headers) : null;
  return askedMs ? Math.min(askedMs, 30_000) : Math.min(500 * 2 ** attempt, 8_000);
}

/** The cache of the pages. A read that finds nobody signed in reads the session again. */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        retry: isTriedAgain,
        retryDelay: retryDelayMs,
        staleTime: 30_000,
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!isSignedOut(error) || query.queryKey[0] === 'session') return;
        void client.invalidateQueries({ queryKey: ['session'] });
      },
    }),
  });
  return client;
}
