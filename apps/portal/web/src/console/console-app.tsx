import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { App, SignedIn } from '../frame/app.js';
import { consoleRouter } from './console-router.js';
import { ChangeRefusal } from '../form/change-refusal.js';
import { changeRefusal, ConsoleSessionContext } from './console-session.js';
import { SignIn } from './sign-in.js';
import { consoleSessionQuery } from './queries.js';

function Pages() {
  return (
    <SignedIn session={useQuery(consoleSessionQuery)} signIn={SignIn}>
      {(session) => (
        <ConsoleSessionContext value={session}>
          <ChangeRefusal value={changeRefusal(session.role)}>
            <RouterProvider<typeof consoleRouter> router={consoleRouter} />
          </ChangeRefusal>
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
