import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isSignedOut, RefusedRequest } from '../rest/problem.js';
import { theme } from '../theme/theme.js';
import { BillingZone } from '../ui/billing-zone.js';
import { Loading } from '../ui/loaded.js';
import { router } from './router.js';
import { openedSessionQuery, SessionContext } from './session.js';
import { SignInNeeded } from './sign-in-needed.js';

const RETRIES_MAX = 5;

/** What the service refused stays refused; what it could not answer is asked for again. */
function isTriedAgain(failures: number, error: unknown): boolean {
  if (!(error instanceof RefusedRequest)) return false;
  const { status } = error.problem;
  return (status === 0 || status >= 500 || status === 429) && failures < RETRIES_MAX;
}

function retryDelayMs(attempt: number, error: unknown): number {
  const seconds = error instanceof RefusedRequest ? error.retryAfter : Number.NaN;
  return seconds > 0 ? Math.min(seconds, 30) * 1_000 : Math.min(500 * 2 ** attempt, 8_000);
}

const client = new QueryClient({
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

/** A link that is opened where a page of the portal is shown already begins a session anew. */
function useFurtherLinks(): void {
  useEffect(() => {
    const begin = () => {
      if (location.hash.includes('token=')) void client.resetQueries();
    };
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, []);
}

function SignedIn() {
  useFurtherLinks();
  const session = useQuery(openedSessionQuery);
  if (session.isPending) return <Loading rows={3} />;
  if (session.data === undefined || isSignedOut(session.error)) {
    return <SignInNeeded error={session.error} onRetry={() => void session.refetch()} />;
  }
  return (
    <SessionContext value={session.data}>
      <BillingZone value={session.data.billing_time_zone}>
        <RouterProvider router={router} />
      </BillingZone>
    </SessionContext>
  );
}

export function PortalApp() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <SignedIn />
      </QueryClientProvider>
    </MantineProvider>
  );
}
