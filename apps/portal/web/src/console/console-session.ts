import { createContext, useContext } from 'react';
import { dayOf } from '../format/days.js';
import type { AdminRole, ConsoleSession } from '../rest/answers.js';

export const ConsoleSessionContext = createContext<ConsoleSession | null>(null);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(ConsoleSessionContext);
  if (session === null) throw new Error('A page of the console is shown only within a session.');
  return session;
}

/** Roles that may change something. The service decides; this only shows it beforehand. */
const CHANGES: Readonly<Record<AdminRole, boolean>> = {
  owner: true,
  billing: true,
  support: false,
  data: false,
};

/** Why an operator with this role may change nothing; undefined: nothing stands against it. */
export function changeRefusal(role: AdminRole): string | undefined {
  if (CHANGES[role]) return undefined;
  return `Your role “${role}” may look and not change.`;
}

/** The pages that each role may read. The service decides; this only shows it beforehand. */
const PAGES: Readonly<Record<AdminRole, (path: string) => boolean>> = {
  owner: () => true,
  billing: (path) => path !== '/releases' && path !== '/operators',
  support: () => true,
  data: (path) => path === '/releases' || path === '/service',
};

/** Returns a function: may the operator who is signed in read the page at a path? */
export function useMayRead(): (path: string) => boolean {
  return PAGES[useConsoleSession().role];
}

/** Today in the billing zone: `2026-11-22`. */
export function useToday(): string {
  return dayOf(Date.now(), useConsoleSession().billing_time_zone);
}
