import type { Notification, Story, Writer } from '#account/event-type.js';
import { CALLS_ARCHIVED, CALLS_BROUGHT_BACK } from '#event-log/archive-events.js';
import type { CallsArchived, CallsBroughtBack } from '#event-log/archive-events.js';
import {
  RELEASE_MISSING,
  RELEASE_PUBLISHED,
  RELEASE_WITHDRAWN,
  type ReleaseMissing,
  type ReleasePublished,
  type ReleaseWithdrawn,
} from '#popularity/release-events.js';
import {
  CREDIT_NOTE_NUMBERED,
  INVOICE_NUMBERED,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from './number-events.js';
import { BANK_ENTRIES_CONFIRMED, type BankEntriesConfirmed } from './bank-events.js';
import { EXCHANGE_RATE_SET, type ExchangeRateSet } from './exchange-rate-events.js';
import { PERIOD_CLOSED, PERIOD_REOPENED } from './period-events.js';
import type { PeriodClosed, PeriodReopened } from './period-events.js';
import { DOCUMENTS_REDACTED, type DocumentsRedacted } from './redaction-events.js';

/** All that others are shown of one type of event of the system. */
interface SystemEventType<Data, Notified extends string> {
  readonly notification?: Notification<Data, Notified>;
  readonly story: Story<Data>;
}

function ofSystem<Data, Notified extends string = never>(
  type: SystemEventType<Data, Notified>,
): SystemEventType<Data, Notified> {
  return type;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Events of no single account, in lane 0 or at sign-in, that have a notification or words. Names
 * are stored: add, never rename.
 */
export const SYSTEM_EVENTS = {
  [INVOICE_NUMBERED]: ofSystem<InvoiceNumbered, 'invoice.issued'>({
    notification: {
      type: 'invoice.issued',
      data: ({ id, number, month, currency, total, due_date }) => ({
        invoice_id: id,
        number,
        month,
        currency,
        total,
        due_date,
      }),
    },
    story: { title: 'Invoice issued', details: numberAndTotal },
  }),
  [CREDIT_NOTE_NUMBERED]: ofSystem<CreditNoteNumbered, 'credit_note.issued'>({
    notification: {
      type: 'credit_note.issued',
      // Below 0, as on the document; the event holds how much is taken back.
      data: (note) => ({
        credit_note_id: note.id,
        number: note.number,
        invoice_id: note.invoice_id,
        invoice_number: note.invoice_number,
        month: note.month,
        currency: note.currency,
        total: -note.total,
      }),
    },
    story: { title: 'Credit note issued', details: numberAndTotal, tone: 'warn' },
  }),
  [RELEASE_PUBLISHED]: ofSystem<ReleasePublished, 'release.ready'>({
    notification: {
      type: 'release.ready',
      data: ({ release, window, through }) => ({ release, window, through }),
    },
    story: {
      title: 'Release published',
      details: ({ release, window }, { text }) => `${text(release)} from ${text(window)} on`,
      tone: 'good',
    },
  }),
  [RELEASE_WITHDRAWN]: ofSystem<ReleaseWithdrawn, 'release.withdrawn'>({
    notification: {
      type: 'release.withdrawn',
      data: ({ release, window, serving }) => ({ release, window, serving }),
    },
    story: {
      title: 'Release withdrawn',
      details: ({ release, window }, { text }) => `${text(release)}, before ${text(window)}`,
      tone: 'warn',
    },
  }),
  [RELEASE_MISSING]: ofSystem<ReleaseMissing, 'release.missing'>({
    notification: {
      type: 'release.missing',
      data: ({ window, window_starts_at, serving }) => ({ window, window_starts_at, serving }),
    },
    story: {
      title: 'Release missing',
      details: ({ window, serving }, { text }) => `for ${text(window)}: ${text(serving)} serves it`,
      tone: 'warn',
    },
  }),
  [DOCUMENTS_REDACTED]: ofSystem<DocumentsRedacted>({
    story: {
      title: 'Parties removed from documents',
      details: ({ documents, first, last }, { text }) =>
        `${text(documents)} documents, ${text(first)} to ${text(last)}`,
      tone: 'warn',
    },
  }),
  InvoiceRunStarted: ofSystem<Members>({
    story: { title: 'Invoice run begun', details: ({ month }, { text }) => text(month) },
  }),
  InvoiceRunEnded: ofSystem<Members>({
    story: {
      title: 'Invoice run ended',
      details: ({ issued }, { text }) => `${text(issued)} issued`,
    },
  }),
  [PERIOD_CLOSED]: ofSystem<PeriodClosed>({
    story: { title: 'Period closed', details: ({ month }, { text }) => text(month) },
  }),
  [PERIOD_REOPENED]: ofSystem<PeriodReopened>({
    story: {
      title: 'Period reopened',
      details: ({ month }, { text }) => text(month),
      tone: 'warn',
    },
  }),
  [EXCHANGE_RATE_SET]: ofSystem<ExchangeRateSet>({
    story: {
      title: 'Exchange rate set',
      details: ({ currency, tax_currency: owed, date, rate }, { text }) =>
        `${text(date)}: 1 ${text(currency)} is ${text(rate)} ${text(owed)}`,
    },
  }),
  [BANK_ENTRIES_CONFIRMED]: ofSystem<BankEntriesConfirmed>({
    story: {
      title: 'Bank entries confirmed',
      details: ({ entries = [] }, { count }) => count(entries.length, 'payment'),
    },
  }),
  [CALLS_ARCHIVED]: ofSystem<CallsArchived>({
    story: {
      title: 'Calls archived',
      details: ({ archive, calls, before }, { text }) =>
        `${text(calls)} before ${text(before)}, archive ${text(archive)}`,
    },
  }),
  [CALLS_BROUGHT_BACK]: ofSystem<CallsBroughtBack>({
    story: {
      title: 'Archived calls brought back',
      details: ({ archive }, { text }) => `archive ${text(archive)}`,
    },
  }),
  RateCardPublished: ofSystem<Members>({
    story: {
      title: 'Rate card published',
      details: ({ version }, { text }) => `version ${text(version)}`,
      tone: 'good',
    },
  }),
  WebhookCreated: ofSystem<Members>({
    story: { title: 'Webhook made', details: ({ url }, { text }) => text(url) },
  }),
  WebhookRemoved: ofSystem<Members>({ story: { title: 'Webhook removed', tone: 'warn' } }),
  RebuildStarted: ofSystem<Members>({
    story: { title: 'Rebuild begun', details: ({ projection }, { text }) => text(projection) },
  }),
  VerificationStarted: ofSystem<Members>({ story: { title: 'Verification begun' } }),
  SignedIn: ofSystem<Members>({ story: { title: 'Signed in', details: origin } }),
  SignInFailed: ofSystem<Members>({
    story: { title: 'Sign-in failed', details: origin, tone: 'warn' },
  }),
  RoleDenied: ofSystem<Members>({
    story: {
      title: 'Role denied',
      details: (data, write) => `for ${write.text(data['route'])} ${origin(data, write)}`,
      tone: 'warn',
    },
  }),
};

type SystemEvents = typeof SYSTEM_EVENTS;

/** Under which names others are notified of what happens to the system. */
export type SystemNotification = {
  [Name in keyof SystemEvents]: SystemEvents[Name] extends SystemEventType<never, infer Notified>
    ? Notified
    : never;
}[keyof SystemEvents];

/** A type of event without the types of its own. */
export type AnySystemEventType = SystemEventType<never, SystemNotification>;

const ANY: Readonly<Record<string, AnySystemEventType>> = SYSTEM_EVENTS;

/** Undefined: it has neither a notification nor words. */
export function systemEventType(name: string): AnySystemEventType | undefined {
  return Object.hasOwn(ANY, name) ? ANY[name] : undefined;
}

const DOORS: Readonly<Record<string, string>> = {
  admin: 'at the admin REST',
  console: 'at the console',
  portal: 'at the portal',
};

function origin({ door, address, times }: Members, { text, count }: Writer): string {
  const from = address === 'others' ? 'other addresses' : text(address);
  const often = Number(times) > 1 ? `, ${count(Number(times), 'time')} in this minute` : '';
  return `${DOORS[text(door)] ?? ''} from ${from}${often}`;
}

function numberAndTotal(
  { number, total, currency }: Partial<InvoiceNumbered | CreditNoteNumbered>,
  { text, money }: Writer,
): string {
  return `${text(number)}, ${money(total, currency)}`;
}
