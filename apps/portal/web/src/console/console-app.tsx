import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { App, SignedIn } from '../frame/app.js';
import { consoleRouter } from './console-router.js';
import { ConsoleSessionContext } from './console-session.js';
import { consoleSessionQuery } from './rest/admin-queries.js';
import { SignIn } from './sign-in.js';

function Pages() {
  return (
    <SignedIn session={useQuery(consoleSessionQuery)} signIn={SignIn}>
      {(session) => (
        <ConsoleSessionContext value={session}>
          <RouterProvider<typeof consoleRouter> router={consoleRouter} />
        </ConsoleSessionContext>
      )}
    </SignedIn>
  );
}

/** The operators' side of the front end. */
export function ConsoleApp() {
  return (
    <App>
      <Pages />
    </App>
  );
}
