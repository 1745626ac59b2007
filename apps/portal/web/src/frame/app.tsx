import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { serveRegions } from '#popularity/regions.js';
import { serveSources } from '#popularity/sources.js';
import { isSignedOut } from '../rest/problem.js';
import { newQueryClient } from '../rest/query-client.js';
import { theme } from '../theme/theme.js';
import { Loading } from '../ui/loaded.js';
import { PageFailed } from './page-failed.js';
import { ZonesOf } from '../ui/zones.js';

const client = newQueryClient();

/** Providers that every page of portal and console needs. */
export function App({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <CatchBoundary getResetKey={() => ''} errorComponent={PageFailed}>
          {children}
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

export interface SignInProps {
  /** Why there is no session: signed out, or the service away. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Facts about the service that every session holds. */
interface ServiceFacts {
  readonly billing_time_zone: string;
  readonly regions: readonly string[];
  readonly sources: readonly string[];
}

interface SignedInProps<Session> {
  readonly session: UseQueryResult<Session>;
  readonly signIn: ComponentType<SignInProps>;
  /** The pages: they are there only within a session. */
  readonly children: (session: Session) => ReactNode;
}

/** The pages for whoever is signed in, and the way in for everybody else. */
export function SignedIn<Session extends ServiceFacts>({
  session: { data, error, isPending, refetch },
  signIn: SignIn,
  children,
}: SignedInProps<Session>) {
  if (isPending) return <Loading rows={3} />;
  if (data === undefined || isSignedOut(error)) {
    return <SignIn error={error} onRetry={() => void refetch()} />;
  }
  // Every page below lists the regions and sources of the service.
  serveRegions(data.regions);
  serveSources(data.sources);
  return <ZonesOf billing={data.billing_time_zone}>{children(data)}</ZonesOf>;
}
