import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isSignedOut } from '../rest/problem.js';
import { newQueryClient } from '../rest/query-client.js';
import { theme } from '../theme/theme.js';
import { BillingZone } from '../ui/billing-zone.js';
import { Loading } from '../ui/loaded.js';
import { router } from './router.js';
import { openedSessionQuery, SessionContext } from './session.js';
import { SignInNeeded } from './sign-in-needed.js';

const client = newQueryClient();

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
