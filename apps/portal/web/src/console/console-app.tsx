import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { isSignedOut } from '../rest/problem.js';
import { newQueryClient } from '../rest/query-client.js';
import { theme } from '../theme/theme.js';
import { BillingZone } from '../ui/billing-zone.js';
import { Loading } from '../ui/loaded.js';
import { consoleRouter } from './console-router.js';
import { ConsoleSessionContext } from './console-session.js';
import { consoleSessionQuery } from './rest/admin-queries.js';
import { SignIn } from './sign-in.js';

const client = newQueryClient();

function SignedIn() {
  const session = useQuery(consoleSessionQuery);
  if (session.isPending) return <Loading rows={3} />;
  if (session.data === undefined || isSignedOut(session.error)) {
    return <SignIn error={session.error} onRetry={() => void session.refetch()} />;
  }
  return (
    <ConsoleSessionContext value={session.data}>
      <BillingZone value={session.data.billing_time_zone}>
        <RouterProvider<typeof consoleRouter> router={consoleRouter} />
      </BillingZone>
    </ConsoleSessionContext>
  );
}

/** The operator's side of the front end. */
export function ConsoleApp() {
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
