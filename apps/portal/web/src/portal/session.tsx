import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import type { Account, SignedIn } from '../rest/answers.js';
import { portal } from '../rest/portal.js';
import { accountQuery, sessionQuery } from '../rest/queries.js';
import { send } from '../rest/request.js';

export const SessionContext = createContext<SignedIn | null>(null);

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A page of the portal is shown only within a session.');
  return session;
}

/** Viewers look at everything and change nothing. */
export function useCanManage(): boolean {
  return useSession().role === 'manager';
}

/** The current account; until it was read again, the one that the session began with. */
export function useAccount(): Account {
  const { account } = useSession();
  return useQuery(accountQuery).data ?? account;
}

/** The account's present, ticking: a test clock stands still until it is moved. */
export function useAccountNow(): number {
  const session = useSession();
  const { data, dataUpdatedAt } = useQuery(accountQuery);
  const account = data ?? session.account;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const answered = Date.parse(account.now);
  if (account.test_clock !== null || data === undefined) return answered;
  return answered + Math.max(0, now - dataUpdatedAt);
}

/** Takes the link's token out of the address, so that no history or copied link holds it. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(history.state, '', location.origin + location.pathname + location.search);
  return token;
}

/** The session of the cookie, or the one that a link opens. */
export const openedSessionQuery = {
  ...sessionQuery,
  queryFn: (context: Parameters<NonNullable<typeof sessionQuery.queryFn>>[0]) => {
    const token = takeToken();
    if (token !== null) return send(portal.signIn(), { token });
    return (sessionQuery.queryFn as (of: typeof context) => Promise<SignedIn>)(context);
  },
};
