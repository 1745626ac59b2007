import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { BASE_PATH } from '../rest/base-path.js';
import { addLiveCalls, catchUpCalls } from './live-calls.js';
import { STALE_TOPICS, intervalOf, type Topic } from './stale-topics.js';
import { throttle } from './throttle.js';
import type { Call } from '../rest/answers.js';
import { portal } from '../rest/portal.js';

export type LiveState = 'connecting' | 'live' | 'waiting';

const REOPEN_MS = 2_000;
const CALLS_EVERY_MS = 200;

/** The live list gets its calls from the stream: refreshing all of its pages would be waste. */
function isRefreshed({ queryKey }: Query): boolean {
  return !(queryKey[0] === 'calls' && (queryKey[1] === 'list' || queryKey[1] === 'explainCall'));
}

const LIVE_TOPICS: ReadonlySet<unknown> = new Set(Object.values(STALE_TOPICS).flat());

/** After a break anything may have happened. A list that cannot be read now is read on the next. */
function refreshAll(client: QueryClient, isStale = isRefreshed): void {
  void client.invalidateQueries({ predicate: isStale });
  catchUpCalls(client).catch(() => undefined);
}

/** Refreshes what was read before the stream began: it may lack what happened in between. */
function refreshLive(client: QueryClient): void {
  refreshAll(client, (query) => isRefreshed(query) && LIVE_TOPICS.has(query.queryKey[0]));
}

function refresh(client: QueryClient, topic: Topic): void {
  void client.invalidateQueries({ queryKey: [topic], predicate: isRefreshed });
}

interface Listeners {
  readonly onState: (state: LiveState) => void;
  readonly onSignedOut: () => void;
}

/** Follows the account's events until it is stopped, through breaks and restarts of the service. */
function follow(client: QueryClient, { onState, onSignedOut }: Listeners): () => void {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let calls: Call[] = [];
  const stale = throttle(intervalOf, (topic: Topic) => refresh(client, topic));
  const shown = throttle(
    () => CALLS_EVERY_MS,
    () => {
      addLiveCalls(client, calls);
      calls = [];
    },
  );
  const open = (): void => {
    source = new EventSource(BASE_PATH + portal.listen().path);
    source.addEventListener('ready', () => {
      onState('live');
      if (isFirst) refreshLive(client);
      else refreshAll(client);
      isFirst = false;
    });
    source.addEventListener('reset', () => refreshAll(client));
    source.addEventListener('signed_out', onSignedOut);
    for (const [kind, topics] of Object.entries(STALE_TOPICS)) {
      source.addEventListener(kind, (event: MessageEvent<string>) => {
        if (kind === 'call') {
          calls.push(JSON.parse(event.data) as Call);
          shown.mark('calls');
        }
        topics.forEach(stale.mark);
      });
    }
    source.addEventListener('error', () => {
      onState('waiting');
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser gives up on any answer but a stream: a session that is over, or a restart.
      onSignedOut();
      reopening = setTimeout(open, REOPEN_MS);
    });
  };
  const close = (): void => {
    clearTimeout(reopening);
    source.close();
  };
  // A browser has six connections to a server, for all tabs together.
  const followVisible = (): void => {
    close();
    if (document.visibilityState === 'visible') open();
  };
  open();
  document.addEventListener('visibilitychange', followVisible);
  return () => {
    document.removeEventListener('visibilitychange', followVisible);
    close();
    stale.stop();
    shown.stop();
  };
}

/** Keeps everything on the page current while it is shown, and says whether it is. */
export function useLive(): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    return follow(client, {
      onState: setState,
      onSignedOut: () => void client.invalidateQueries({ queryKey: ['session'] }),
    });
  }, [client]);
  return state;
}
