import { accountEvent, eventType } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { ApiKeyIds } from '#projections/usage/api-keys.js';
import { callView } from '#projections/usage/call-view.js';

/** A message to a page: the kind of event, and the data that the page needs. */
export interface FeedMessage {
  /** Version of the account; what a stream that broke off goes on behind. */
  readonly version: number;
  readonly kind: string;
  readonly data: object;
}

/** An event as its customer's pages receive it; null: they do not. */
export function feedMessage(stored: StoredEvent, apiKeys: ApiKeyIds): FeedMessage | null {
  const { accountVersion: version } = stored;
  if (stored.type === 'CallMade') {
    return { version, kind: 'call', data: callView(apiKeys)(stored) };
  }
  const { type, at, data } = accountEvent(stored.type, stored.at, stored.data);
  const { page } = eventType(type);
  if (page === undefined) return null;
  return {
    version,
    kind: page.kind,
    data: { ...page.data?.(data as never), at: formatMoment(at) },
  };
}
