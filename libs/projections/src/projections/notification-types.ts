import type { Notification } from '#account/event-type.js';
import { type AccountNotification, type AnyEventType, EVENT_TYPES } from '#account/events.js';
import type { StoredEvent } from '#event-log/event-log.js';
import {
  SYSTEM_EVENTS,
  type AnySystemEventType,
  type SystemNotification,
} from '../events/system-event-types.js';

export type NotificationType = AccountNotification | SystemNotification;

type TypedNotification = Notification<never, NotificationType>;

/** By type of event, as it stands in the log. */
const NOTIFIED: ReadonlyMap<string, TypedNotification> = new Map<string, TypedNotification>(
  Object.entries<AnyEventType | AnySystemEventType>({ ...EVENT_TYPES, ...SYSTEM_EVENTS }).flatMap(
    ([name, { notification }]) =>
      notification === undefined ? [] : [[name, notification] as const],
  ),
);

/** Types of notifications to customers and operators (contract 5). The names are permanent. */
export const NOTIFICATION_TYPES: readonly NotificationType[] = [...NOTIFIED.values()].map(
  ({ type }) => type,
);

/** Types of notified events, as stored in the log. */
export const NOTIFIED_EVENTS: readonly string[] = [...NOTIFIED.keys()];

/** The notification's type of an event, or undefined for an event that is not notified. */
export function notificationType(eventType: string): NotificationType | undefined {
  return NOTIFIED.get(eventType)?.type;
}

/** The notification's data of an event. Throws for an event that is not notified. */
export function notificationData({
  type,
  data,
}: Pick<StoredEvent, 'type' | 'data'>): Readonly<Record<string, unknown>> {
  const notified = NOTIFIED.get(type);
  if (notified === undefined) throw new Error(`An event of type ${type} is no notification.`);
  return notified.data(JSON.parse(data) as never);
}
