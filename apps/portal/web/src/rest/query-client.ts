import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, RefusedRequest } from './problem.js';

const RETRIES_MAX = 5;

/** True if a failed read is retried: a refusal is not, an outage is. */
function isTriedAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof RefusedRequest)) return false;
  const { status } = error.problem;
  return (status === 0 || status >= 500) && failures < RETRIES_MAX;
}

function retryDelayMs(attempt: number, error: unknown): number {
  const seconds = error instanceof RefusedRequest ? error.retryAfter : Number.NaN;
  return seconds > 0 ? Math.min(seconds, 30) * 1_000 : Math.min(500 * 2 ** attempt, 8_000);
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
