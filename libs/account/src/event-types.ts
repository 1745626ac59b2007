import { ACCOUNT_EVENTS } from './account-event-types.js';
import { API_KEY_EVENTS } from './api-key-event-types.js';
import { BILLING_EVENTS } from './billing-event-types.js';
import { BUDGET_EVENTS } from './budget-event-types.js';
import { CALL_EVENTS } from './call-event-types.js';
import { CREDIT_EVENTS } from './credit-event-types.js';
import { DISPUTE_EVENTS } from './dispute-event-types.js';
import type { EventClass, EventType } from './event-type.js';
import { MEMBER_EVENTS } from './member-event-types.js';
import { PERIOD_EVENTS } from './period-event-types.js';
import { PORTAL_SESSION_EVENTS } from './portal-session-event-types.js';

/**
 * Every type of event of an account: what it follows from, its effect on the state, under which
 * name others are notified of it, and its words. Names are stored: add, never rename.
 */
export const EVENT_TYPES = {
  ...BUDGET_EVENTS,
  ...CREDIT_EVENTS,
  ...API_KEY_EVENTS,
  ...ACCOUNT_EVENTS,
  ...PERIOD_EVENTS,
  ...BILLING_EVENTS,
  ...PORTAL_SESSION_EVENTS,
  ...MEMBER_EVENTS,
  ...DISPUTE_EVENTS,
  ...CALL_EVENTS,
};

export type EventTypes = typeof EVENT_TYPES;
export type EventName = keyof EventTypes;
export type DataOf<Name extends EventName> = Parameters<EventTypes[Name]['effect']>[1];

/** Under which names others are notified of what happens to accounts. */
export type AccountNotification = {
  [Name in EventName]: EventTypes[Name] extends EventType<EventClass, never, infer Notified>
    ? Notified
    : never;
}[EventName];

/** A type of event without the types of its own. */
export type AnyEventType = EventType<EventClass, never, AccountNotification>;

const ANY: Readonly<Record<EventName, AnyEventType>> = EVENT_TYPES;

export function eventType(name: EventName): AnyEventType {
  return ANY[name];
}

/** Whether a name is that of an event of accounts. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENT_TYPES, name);
}
