import type { Story, Writer } from '#account/event-type.js';
import { eventType, isEventName } from '#account/events.js';
import { systemEventType } from '#projections/events/system-event-types.js';
import { formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoment } from '../../format/moments.js';
import { formatMoney } from '../../format/money.js';

/** An event in words. */
export interface EventWords {
  readonly title: string;
  readonly details: string;
  readonly tone: 'plain' | NonNullable<Story<never>['tone']>;
}

/** How values are written. */
interface Terms {
  /** Of the account, for amounts without one. */
  readonly currency: string;
  /** The time zone of moments. */
  readonly zone: string;
}

function writer({ currency, zone }: Terms): Writer {
  return {
    text: wordOf,
    number: (value = 0) => formatNumber(value),
    credits: (credits = 0) => formatCredits(credits),
    count: (count = 0, one) => formatCount(count, one),
    moment: (at) => (at === undefined || at === null ? '' : formatMoment(at, zone)),
    money: (amount = 0, code = currency) => formatMoney(amount, code),
  };
}

/** A member that is a word or a number, as it stands. */
function wordOf(member: unknown): string {
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
}

type EventData = Readonly<Record<string, unknown>>;

/** `CreditsGranted` → `Credits granted`, for events that have no words of their own yet. */
function nameOf(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An event in words for operators. */
export function eventWords(type: string, data: EventData, terms: Terms): EventWords {
  const story = isEventName(type) ? eventType(type).story : systemEventType(type)?.story;
  if (story === undefined) return { title: nameOf(type), details: '', tone: 'plain' };
  const { title, details, tone = 'plain' } = story;
  return { title, details: details?.(data as never, writer(terms)) ?? '', tone };
}
