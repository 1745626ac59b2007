import { ofCall } from './event-type.js';
import type { CallMade } from './events.js';
import { afterCall } from './evolve-call.js';
import type { CallReplayed } from './replay-events.js';

/** Events of calls. */
export const CALL_EVENTS = {
  /** The customer's pages see the call itself: its message needs more than the event holds. */
  CallMade: ofCall<CallMade>({
    effect: afterCall,
    story: { title: 'Call made' },
  }),
  CallReplayed: ofCall<CallReplayed>({
    opensMonth: false,
    effect: () => ({}),
    command: ({ call_id: callId }) => ({ command: 'replay-call', callId }),
    story: {
      title: 'Call answered again',
      details: ({ call_id: callId }, { text }) => `call ${text(callId)}`,
    },
  }),
};
