import { archivedData } from '#event-log/archived-call.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { parseLaneLine } from '../lane-lines.js';

/** An archived call: the event as it was, and its account's head after it (64 hex digits). */
export interface ArchivedEvent {
  readonly event: Omit<StoredEvent, 'lane'>;
  readonly head: string;
}

const HEAD = /^[0-9a-f]{64}$/;

/** The line of a backup without its batch, and `head`. */
export function archiveLine({ event, head }: ArchivedEvent): string {
  const { position, accountId, accountVersion, callId, type, at, data } = event;
  return JSON.stringify({
    position,
    account_id: accountId,
    account_version: accountVersion,
    call_id: callId,
    type,
    at: new Date(at).toISOString().replace('Z', '+00:00'),
    data,
    head,
  });
}

/** Reads a line, or answers why it is none. Pure. */
export function parseArchiveLine(text: string): ArchivedEvent | string {
  const line = parseLaneLine(text);
  if (typeof line === 'string') return line;
  const { batch: _batch, at, ...event } = line;
  const { head } = JSON.parse(text) as { readonly head?: unknown };
  if (typeof head !== 'string' || !HEAD.test(head)) return 'head is no SHA-256';
  return { event: { ...event, at: Date.parse(at) }, head };
}

/** The JSON text that takes the place of its data in the log. */
export function leftOf(archive: number, { head }: ArchivedEvent): string {
  return archivedData({ archive, head });
}
