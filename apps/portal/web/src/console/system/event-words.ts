import { formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoment } from '../../format/moments.js';
import { formatMoney } from '../../format/money.js';

type Data = Readonly<Record<string, unknown>>;

/** An event in words. The tone marks what gave (good), took (warn) or stopped something (bad). */
export interface EventWords {
  readonly title: string;
  readonly details: string;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
}

type Say = (data: Data, currency: string) => string;

function credits(data: Data): string {
  return formatCredits(Number(data.credits ?? 0));
}

/** A member that is a word or a number, as it stands. */
function text(member: unknown): string {
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
}

function moment(at: unknown): string {
  return typeof at === 'string' ? formatMoment(at) : '';
}

function money(data: Data, member: string, currency: string): string {
  const code = typeof data.currency === 'string' ? data.currency : currency;
  return formatMoney(Number(data[member] ?? 0), code);
}

function granted(data: Data, currency: string): string {
  const price = typeof data.price === 'number' ? ` for ${money(data, 'price', currency)}` : '';
  const until =
    typeof data.expires_at === 'string' ? `, until ${formatMoment(data.expires_at)}` : '';
  return `${credits(data)} ${text(data.kind)}${price}${until}`;
}

function set(data: Data): string {
  const limit = formatCredits(Number(data.limit ?? 0));
  return `${limit} a ${text(data.period)}, ${data.action === 'block' ? 'then refuse' : 'only alert'}`;
}

function of(reference: string): string {
  return reference === '' ? '' : `, ${reference}`;
}

const DOORS: Readonly<Record<string, string>> = {
  admin: 'at the admin REST',
  console: 'at the console',
  portal: 'at the portal',
};

function whence({ door, address, times }: Data): string {
  const from = address === 'others' ? 'other addresses' : text(address);
  const often = Number(times) > 1 ? `, ${formatCount(Number(times), 'time')} in this minute` : '';
  return `${DOORS[text(door)] ?? ''} from ${from}${often}`;
}

const nothing: Say = () => '';

const WORDS: Readonly<Record<string, readonly [string, Say, EventWords['tone']?]>> = {
  AccountOpened: ['Account opened', (data) => `in ${text(data.currency)}`, 'good'],
  AccountChanged: ['Terms changed', (data) => changed(data)],
  AccountSuspended: ['Suspended', nothing, 'bad'],
  AccountResumed: ['Resumed', nothing, 'good'],
  AccountClosed: ['Closed', nothing, 'bad'],
  ProfileErased: ['Personal data erased', nothing, 'bad'],
  ApiKeyIssued: [
    'API key issued',
    (data) => `${text(data.prefix)}…${text(data.last_four)}`,
    'good',
  ],
  ApiKeyRevoked: ['API key revoked', nothing, 'warn'],
  ApiKeyEndSet: ['API key given an end', (data) => moment(data.expires_at)],
  CreditsGranted: ['Credits granted', granted, 'good'],
  GrantVoided: ['Grant voided', (data) => `${credits(data)} taken back`, 'warn'],
  GrantExpired: ['Grant expired', (data) => `${credits(data)} were left`, 'warn'],
  Adjusted: ['Adjusted', (data) => `${credits(data)}: ${text(data.reason)}`, 'warn'],
  TestClockMoved: ['Test clock moved', (data) => `to ${moment(data.now)}`],
  BalanceLow: ['Balance low', (data) => `${formatNumber(Number(data.balance ?? 0))} left`, 'bad'],
  BudgetSet: ['Budget set', set],
  BudgetRemoved: ['Budget removed', nothing, 'warn'],
  BudgetThresholdCrossed: [
    'Budget threshold crossed',
    (data) => `${text(data.threshold)} % in ${text(data.period)}`,
    'warn',
  ],
  BudgetBlocked: ['Budget blocks calls', (data) => `in ${text(data.period)}`, 'bad'],
  MonthClosed: [
    'Month closed',
    (data) =>
      `${text(data.month)}: ${formatCount(Number(data.calls ?? 0), 'call')}, ${credits(data)}`,
  ],
  WindowClosed: [
    'Window closed',
    (data) =>
      `${text(data.window)}: ${formatCount(Number(data.calls ?? 0), 'call')}, ${credits(data)}`,
  ],
  BillingDetailsChanged: ['Billing details changed', nothing],
  InvoiceSealed: ['Invoice drawn up', (data, code) => ofMonth(data, code)],
  InvoiceNumbered: ['Invoice issued', (data, code) => numbered(data, code)],
  InvoiceRunStarted: ['Invoice run begun', (data) => text(data.month)],
  InvoiceRunEnded: ['Invoice run ended', (data) => `${text(data.issued)} issued`],
  DocumentsRedacted: [
    'Parties removed from documents',
    (data) => `${text(data.documents)} documents, ${text(data.first)} to ${text(data.last)}`,
    'warn',
  ],
  CreditNoteSealed: ['Credit note drawn up', (data, code) => ofMonth(data, code), 'warn'],
  CreditNoteNumbered: ['Credit note issued', (data, code) => numbered(data, code), 'warn'],
  PaymentRecorded: [
    'Payment recorded',
    (data, code) =>
      `${money(data, 'amount', code)} paid on ${text(data.date)}${of(text(data.reference))}`,
    'good',
  ],
  InvoiceOverdue: [
    'Invoice overdue',
    (data, code) => `${money(data, 'due', code)} due since ${text(data.due_date)}`,
    'bad',
  ],
  CallReplayed: ['Call answered again', (data) => `call ${text(data.call_id)}`],
  PortalSessionOpened: ['Portal link made', (data) => `for a ${text(data.role)}`],
  PortalSessionRevoked: ['Portal session ended', nothing, 'warn'],
  ReleasePublished: [
    'Release published',
    (data) => `${text(data.release)} from ${text(data.window)} on`,
    'good',
  ],
  RateCardPublished: ['Rate card published', (data) => version(data), 'good'],
  WebhookCreated: ['Webhook made', (data) => text(data.url)],
  WebhookRemoved: ['Webhook removed', nothing, 'warn'],
  RebuildStarted: ['Rebuild begun', (data) => text(data.projection)],
  VerificationStarted: ['Verification begun', nothing],
  SignedIn: ['Signed in', whence],
  SignInFailed: ['Sign-in failed', whence, 'warn'],
  RoleDenied: ['Role denied', (data) => `for ${text(data.route)} ${whence(data)}`, 'warn'],
};

function version(data: Data): string {
  const card = (data.card ?? data) as Data;
  return card.version === undefined ? '' : `version ${text(card.version)}`;
}

function ofMonth(data: Data, currency: string): string {
  return `${text(data.month)}, ${money(data, 'total', currency)}`;
}

function numbered(data: Data, currency: string): string {
  return `${text(data.number)}, ${money(data, 'total', currency)}`;
}

const TERMS: Readonly<Record<string, string>> = {
  profile: 'name',
  overdraft: 'overdraft',
  rate_limit: 'rate limit',
  low_balance: 'warning below',
  rate_card: 'rate card',
  plan: 'plan from the next month on',
};

function changed(data: Data): string {
  const names = Object.keys(TERMS).filter((name) => name in data);
  return names.map((name) => TERMS[name]).join(', ');
}

/** `CreditsGranted` → `Credits granted`, for events that have no words of their own yet. */
function nameOf(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An event in words for operators. `currency`: of the account, for amounts without one. */
export function eventWords(type: string, data: Data, currency: string): EventWords {
  const words = WORDS[type];
  if (words === undefined) return { title: nameOf(type), details: '', tone: 'plain' };
  const [title, say, tone = 'plain'] = words;
  return { title, details: say(data, currency), tone };
}
