import type { ReminderLevel } from '#invoice-rules/reminders.js';
import type { Language } from '#invoice-rules/invoice.js';
import { decimalsOf } from '#invoice-rules/currencies.js';
import { fillText } from '#invoice-rules/fill-text.js';
import { formatAmount } from '#invoice-rules/money.js';
import TEXTS from './document-texts.json' with { type: 'json' };

/** A document as its e-mail states it. Amounts are minor units, dates local dates `2026-11-16`. */
export interface DocumentFacts {
  readonly number: string;
  readonly issueDate: string;
  readonly seller: string;
  readonly currency: string;
  readonly total: number;
  /** Of an invoice: what is left to pay, and until when; null of a credit note. */
  readonly due: number | null;
  readonly dueDate: string | null;
  readonly iban: string | null;
  /** Of a credit note: the invoice that it corrects. */
  readonly invoiceNumber: string | null;
}

/** Which e-mail it is. */
export type Occasion = 'invoice' | 'creditNote' | ReminderLetter;

type ReminderLetter = 'reminder' | 'secondReminder' | 'lastReminder';

const REMINDER_LETTERS = {
  first: 'reminder',
  second: 'secondReminder',
  last: 'lastReminder',
} as const satisfies Record<ReminderLevel, ReminderLetter>;

/** The letter of a reminder. */
export function reminderLetter(level: ReminderLevel): ReminderLetter {
  return REMINDER_LETTERS[level];
}

/** The words of one e-mail: sentences, then a table. */
export interface Words {
  readonly subject: string;
  readonly sentences: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** In front of the address of the page. */
  readonly more: string;
}

/** The words of an e-mail about a document. */
export function documentWords(language: Language, occasion: Occasion, facts: DocumentFacts): Words {
  const texts = TEXTS[language];
  const { labels } = texts;
  const { number, seller, due, dueDate, iban, invoiceNumber } = facts;
  const { date, money } = writerOf(texts.locale, facts.currency);
  const issueDate = date(facts.issueDate);
  const owed = { due: money(due), dueDate: date(dueDate) };
  const account = iban === null ? '' : fillText(texts.account, { iban, number });
  const values = {
    ...owed,
    number,
    seller,
    issueDate,
    account,
    invoiceNumber: invoiceNumber ?? '',
  };
  const filled = (text: string): string => fillText(text, values);
  const pay = occasion === 'invoice' ? texts.pay : texts.payNow;
  const payment = due === null ? [] : [due > 0 ? pay : texts.paid];
  const { subject, sentences } = texts[occasion];
  return {
    subject: filled(subject),
    sentences: [...sentences, ...payment, texts.attached].map(filled),
    facts: [
      [labels.number, number],
      [labels.issued, issueDate],
      [labels.total, money(facts.total)],
      ...(due === null ? [] : [[labels.left, money(Math.max(0, due))] as const]),
      ...(dueDate === null ? [] : [[labels.until, date(dueDate)] as const]),
    ],
    more: texts.more,
  };
}

/** An amount as the e-mails of a language write it. */
export function documentMoney(language: Language, amount: number, currency: string): string {
  return writerOf(TEXTS[language].locale, currency).money(amount);
}

function writerOf(locale: string, currency: string) {
  const decimals = decimalsOf(currency);
  const amounts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    date: (day: string | null) => (day === null ? '' : days.format(new Date(`${day}T00:00:00Z`))),
    money: (amount: number | null) =>
      amounts.format(formatAmount(amount ?? 0, currency) as Intl.StringNumericLiteral),
  };
}
