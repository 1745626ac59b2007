import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { App, SignedIn } from '../frame/app.js';
import { OpenMailedLink, useMailedToken } from './mailed-link.js';
import { router } from './router.js';
import { openedSessionQuery, SessionContext } from './session.js';
import { SignInNeeded } from './sign-in-needed.js';

/** Starts a new session when a link is opened in a page that shows the portal already. */
function useFurtherLinks(): void {
  const client = useQueryClient();
  useEffect(() => {
    const begin = () => {
      if (location.hash.includes('token=')) void client.resetQueries();
    };
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, [client]);
}

function Pages() {
  useFurtherLinks();
  const [token, done] = useMailedToken();
  return token === null ? <SessionPages /> : <OpenMailedLink token={token} onDone={done} />;
}

function SessionPages() {
  return (
    <SignedIn session={useQuery(openedSessionQuery)} signIn={SignInNeeded}>
      {(session) => (
        <SessionContext value={session}>
          <RouterProvider router={router} />
        </SessionContext>
      )}
    </SignedIn>
  );
}

/** The customers' side of the front end. */
export function PortalApp() {
  return (
    <App>
      <Pages />
    </App>
  );
}
