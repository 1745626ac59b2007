import { due, type Writer } from './event-type.js';
import type { MonthClosed } from './events.js';
import { monthEnded } from './evolve-credits.js';
import { NO_USE } from './state.js';
import type { WindowClosed } from './window-events.js';

/** The ends of months and windows. */
export const PERIOD_EVENTS = {
  MonthClosed: due<MonthClosed>({
    effect: monthEnded,
    page: { kind: 'credits', data: ({ balance }) => ({ balance }) },
    story: {
      title: 'Month closed',
      details: (data, write) => `${write.text(data.month)}: ${callsIn(data, write)}`,
    },
  }),
  WindowClosed: due<WindowClosed, 'window.closed'>({
    opensMonth: false,
    effect: () => ({ windowUse: NO_USE }),
    notification: {
      type: 'window.closed',
      data: ({ window, calls, base_calls, credits }) => ({
        window,
        calls,
        base_calls,
        credits_used: credits,
      }),
    },
    page: { kind: 'window', data: ({ window }) => ({ window }) },
    story: {
      title: 'Window closed',
      details: (data, write) => `${write.text(data.window)}: ${callsIn(data, write)}`,
    },
  }),
};

function callsIn(
  { calls, credits }: { readonly calls?: number; readonly credits?: number },
  write: Writer,
): string {
  return `${write.count(calls, 'call')}, ${write.credits(credits)}`;
}
