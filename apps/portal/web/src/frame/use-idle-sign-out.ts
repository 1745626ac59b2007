import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Command } from '#client/operations.js';
import { noteIdleSignOut } from './idle-notice.js';
import { IdleTime } from './idle-time.js';
import { send } from '../rest/request.js';

const POLL_MS = 10_000;
/** The server ends a session that sends no request for 30 minutes: it hears of input so often. */
const REPORT_MS = 10 * 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Signs out after 30 minutes without input in any tab, and forgets what the pages have read.
 * `signOut` ends the session.
 */
export function useIdleSignOut(signOut: Command<undefined>): void {
  const client = useQueryClient();
  const site = signOut.path.replace('/session', '');
  useEffect(() => {
    const idle = new IdleTime(localStorage, `${site} input`, () => Date.now());
    let reportedAt = Date.now();
    const note = () => {
      idle.note();
      if (idle.isOver() || Date.now() - reportedAt < REPORT_MS) return;
      reportedAt = Date.now();
      void client.invalidateQueries({ queryKey: ['session'] });
    };
    const look = () => {
      if (!idle.isOver()) return;
      clearInterval(timer);
      send(signOut)
        .catch(() => undefined)
        .finally(() => {
          idle.forget();
          noteIdleSignOut();
          client.clear();
          location.reload();
        });
    };
    const timer = setInterval(look, POLL_MS);
    // A machine that slept asks before anybody reads what the page still shows.
    document.addEventListener('visibilitychange', look);
    for (const input of INPUTS) addEventListener(input, note, { passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      for (const input of INPUTS) removeEventListener(input, note);
    };
  }, [client, site, signOut]);
}
