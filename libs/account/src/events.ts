import { ACCOUNT_EVENTS } from './account.js';
import { ADJUSTMENT_EVENTS } from './adjustments.js';
import { API_KEY_EVENTS } from './api-keys.js';
import { BILLING_EVENTS } from './billing-event-types.js';
import { BUDGET_EVENTS } from './budgets.js';
import { CALL_EVENTS } from './calls.js';
import { CREDIT_EVENTS } from './credits.js';
import { DISPUTE_EVENTS } from './disputes.js';
import type { EventClass, EventsOf, EventType } from './event-type.js';
import { HOLD_EVENTS } from './holds.js';
import { MEMBER_EVENTS } from './members.js';
import { ORDER_EVENTS } from './orders.js';
import { PERIOD_EVENTS } from './periods.js';
import { PORTAL_SESSION_EVENTS } from './portal-sessions.js';

/**
 * Every type of event of an account: what it follows from, its effect on the state, under which
 * name others are notified of it, and its words. Names are stored: add, never rename.
 */
export const EVENT_TYPES = {
  ...BUDGET_EVENTS,
  ...CREDIT_EVENTS,
  ...ADJUSTMENT_EVENTS,
  ...API_KEY_EVENTS,
  ...ACCOUNT_EVENTS,
  ...PERIOD_EVENTS,
  ...BILLING_EVENTS,
  ...PORTAL_SESSION_EVENTS,
  ...MEMBER_EVENTS,
  ...DISPUTE_EVENTS,
  ...ORDER_EVENTS,
  ...HOLD_EVENTS,
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

export type AccountEvent = EventsOf<EventTypes>;

/** Thrown for an event that only a newer version of the program knows. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
  constructor(type: string) {
    super(`The log holds an event of type ${type}: a newer version writes here.`);
  }
}

/** Reads a stored event from its JSON text. Throws UnknownEventError, or Error for no object. */
export function accountEvent(type: string, at: number, data: string): AccountEvent {
  if (!isEventName(type)) throw new UnknownEventError(type);
  if (!data.startsWith('{')) throw new Error(`An event of type ${type} holds no object.`);
  return { type, at, data: JSON.parse(data) } as AccountEvent;
}
