import type { Story, Writer } from '#account/event-type.js';
import { eventType, isEventName } from '#account/event-types.js';
import { formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoment } from '../../format/moments.js';
import { formatMoney } from '../../format/money.js';

/** An event in words. */
export interface EventWords {
  readonly title: string;
  readonly details: string;
  readonly tone: 'plain' | NonNullable<Story<never>['tone']>;
}

/** How the console writes values. `currency`: of the account, for amounts without one. */
function writer(currency: string): Writer {
  return {
    text: wordOf,
    number: (value = 0) => formatNumber(value),
    credits: (credits = 0) => formatCredits(credits),
    count: (count = 0, one) => formatCount(count, one),
    moment: (at) => (at === undefined || at === null ? '' : formatMoment(at)),
    money: (amount = 0, code = currency) => formatMoney(amount, code),
  };
}

/** A member that is a word or a number, as it stands. */
function wordOf(member: unknown): string {
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
}

type SystemData = Readonly<Record<string, unknown>>;

const DOORS: Readonly<Record<string, string>> = {
  admin: 'at the admin REST',
  console: 'at the console',
  portal: 'at the portal',
};

function origin({ door, address, times }: SystemData, { text, count }: Writer): string {
  const from = address === 'others' ? 'other addresses' : text(address);
  const often = Number(times) > 1 ? `, ${count(Number(times), 'time')} in this minute` : '';
  return `${DOORS[text(door)] ?? ''} from ${from}${often}`;
}

function numbered({ number, total, currency }: SystemData, { text, money }: Writer): string {
  const code = typeof currency === 'string' ? currency : undefined;
  return `${text(number)}, ${money(Number(total ?? 0), code)}`;
}

/** Events of no single account, in lane 0 or at sign-in. */
const SYSTEM: Readonly<Record<string, Story<SystemData>>> = {
  InvoiceNumbered: { title: 'Invoice issued', details: numbered },
  CreditNoteNumbered: { title: 'Credit note issued', details: numbered, tone: 'warn' },
  InvoiceRunStarted: { title: 'Invoice run begun', details: ({ month }, { text }) => text(month) },
  InvoiceRunEnded: {
    title: 'Invoice run ended',
    details: ({ issued }, { text }) => `${text(issued)} issued`,
  },
  DocumentsRedacted: {
    title: 'Parties removed from documents',
    details: ({ documents, first, last }, { text }) =>
      `${text(documents)} documents, ${text(first)} to ${text(last)}`,
    tone: 'warn',
  },
  ReleasePublished: {
    title: 'Release published',
    details: ({ release, window }, { text }) => `${text(release)} from ${text(window)} on`,
    tone: 'good',
  },
  RateCardPublished: { title: 'Rate card published', details: versionOf, tone: 'good' },
  WebhookCreated: { title: 'Webhook made', details: ({ url }, { text }) => text(url) },
  WebhookRemoved: { title: 'Webhook removed', tone: 'warn' },
  RebuildStarted: {
    title: 'Rebuild begun',
    details: ({ projection }, { text }) => text(projection),
  },
  VerificationStarted: { title: 'Verification begun' },
  SignedIn: { title: 'Signed in', details: origin },
  SignInFailed: { title: 'Sign-in failed', details: origin, tone: 'warn' },
  RoleDenied: {
    title: 'Role denied',
    details: (data, write) => `for ${write.text(data.route)} ${origin(data, write)}`,
    tone: 'warn',
  },
};

function versionOf(data: SystemData, { text }: Writer): string {
  const card = (data.card ?? data) as SystemData;
  return card.version === undefined ? '' : `version ${text(card.version)}`;
}

/** `CreditsGranted` → `Credits granted`, for events that have no words of their own yet. */
function nameOf(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An event in words for operators. `currency`: of the account, for amounts without one. */
export function eventWords(type: string, data: SystemData, currency: string): EventWords {
  const story = isEventName(type) ? eventType(type).story : SYSTEM[type];
  if (story === undefined) return { title: nameOf(type), details: '', tone: 'plain' };
  const { title, details, tone = 'plain' } = story;
  return { title, details: details?.(data as never, writer(currency)) ?? '', tone };
}
