import type { Language } from '#billing/invoice.js';
import { decimalsOf } from '#billing/currencies.js';
import { formatAmount } from '#billing/money.js';

// All words of e-mails about documents stand in this file.

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
export type Occasion = 'invoice' | 'creditNote' | 'reminder';

/** The words of one e-mail: sentences, then a table. */
export interface Words {
  readonly subject: string;
  readonly sentences: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** In front of the address of the page. */
  readonly more: string;
}

interface Writer {
  readonly date: (day: string | null) => string;
  readonly money: (amount: number | null) => string;
}

type Write = (facts: DocumentFacts, writer: Writer) => Pick<Words, 'subject' | 'sentences'>;

interface Texts extends Readonly<Record<Occasion, Write>> {
  readonly locale: string;
  readonly labels: Readonly<Record<'number' | 'issued' | 'total' | 'left' | 'until', string>>;
  readonly attached: string;
  readonly paid: string;
  readonly pay: (facts: DocumentFacts, writer: Writer) => string;
  /** After the due date. */
  readonly payNow: (facts: DocumentFacts, writer: Writer) => string;
  readonly more: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    locale: 'en-GB',
    labels: {
      number: 'Number',
      issued: 'Issued',
      total: 'Total',
      left: 'To pay',
      until: 'Due',
    },
    invoice: ({ number, seller, issueDate }, { date }) => ({
      subject: `Invoice ${number} from ${seller}`,
      sentences: [`${seller} has issued invoice ${number} to you on ${date(issueDate)}.`],
    }),
    creditNote: ({ number, seller, issueDate, invoiceNumber }, { date }) => ({
      subject: `Credit note ${number} from ${seller}`,
      sentences: [
        `${seller} has issued credit note ${number} to you on ${date(issueDate)}.`,
        `It corrects invoice ${invoiceNumber}.`,
      ],
    }),
    reminder: ({ number, seller, issueDate, due, dueDate }, { date, money }) => ({
      subject: `Reminder: invoice ${number} from ${seller}`,
      sentences: [
        `Invoice ${number} of ${date(issueDate)} was due on ${date(dueDate)}; ${money(due)} of it is still to be paid.`,
        'If you have paid it meanwhile, there is nothing to do.',
      ],
    }),
    payNow: ({ due, iban, number }, { money }) =>
      `Please pay ${money(due)} now` +
      (iban === null ? '.' : ` to ${iban}, with the reference ${number}.`),
    pay: ({ due, dueDate, iban, number }, { date, money }) =>
      `Please pay ${money(due)} by ${date(dueDate)}` +
      (iban === null ? '.' : ` to ${iban}, with the reference ${number}.`),
    paid: 'Nothing is left to pay.',
    attached: 'It is attached as PDF, and as XML for your accounting software.',
    more: 'You find it in the portal too:',
  },
  de: {
    locale: 'de-DE',
    labels: {
      number: 'Nummer',
      issued: 'Ausgestellt',
      total: 'Gesamtbetrag',
      left: 'Zu zahlen',
      until: 'Fällig',
    },
    invoice: ({ number, seller, issueDate }, { date }) => ({
      subject: `Rechnung ${number} von ${seller}`,
      sentences: [`${seller} hat Ihnen am ${date(issueDate)} die Rechnung ${number} ausgestellt.`],
    }),
    creditNote: ({ number, seller, issueDate, invoiceNumber }, { date }) => ({
      subject: `Rechnungskorrektur ${number} von ${seller}`,
      sentences: [
        `${seller} hat Ihnen am ${date(issueDate)} die Rechnungskorrektur ${number} ausgestellt.`,
        `Sie berichtigt die Rechnung ${invoiceNumber}.`,
      ],
    }),
    reminder: ({ number, seller, issueDate, due, dueDate }, { date, money }) => ({
      subject: `Zahlungserinnerung: Rechnung ${number} von ${seller}`,
      sentences: [
        `Die Rechnung ${number} vom ${date(issueDate)} war am ${date(dueDate)} fällig; ${money(due)} sind noch offen.`,
        'Wenn Sie inzwischen gezahlt haben, ist nichts zu tun.',
      ],
    }),
    payNow: ({ due, iban, number }, { money }) =>
      `Bitte zahlen Sie ${money(due)} jetzt` +
      (iban === null ? '.' : ` auf das Konto ${iban}, mit dem Verwendungszweck ${number}.`),
    pay: ({ due, dueDate, iban, number }, { date, money }) =>
      `Bitte zahlen Sie ${money(due)} bis zum ${date(dueDate)}` +
      (iban === null ? '.' : ` auf das Konto ${iban}, mit dem Verwendungszweck ${number}.`),
    paid: 'Es ist nichts mehr zu zahlen.',
    attached: 'Das Dokument ist als PDF angehängt, und als XML für Ihre Buchhaltung.',
    more: 'Sie finden es auch im Portal:',
  },
  fr: {
    locale: 'fr-FR',
    labels: {
      number: 'Numéro',
      issued: 'Émise le',
      total: 'Total',
      left: 'À payer',
      until: 'Échéance',
    },
    invoice: ({ number, seller, issueDate }, { date }) => ({
      subject: `Facture ${number} de ${seller}`,
      sentences: [`${seller} vous a adressé la facture ${number} le ${date(issueDate)}.`],
    }),
    creditNote: ({ number, seller, issueDate, invoiceNumber }, { date }) => ({
      subject: `Avoir ${number} de ${seller}`,
      sentences: [
        `${seller} vous a adressé l’avoir ${number} le ${date(issueDate)}.`,
        `Il rectifie la facture ${invoiceNumber}.`,
      ],
    }),
    reminder: ({ number, seller, issueDate, due, dueDate }, { date, money }) => ({
      subject: `Rappel : facture ${number} de ${seller}`,
      sentences: [
        `La facture ${number} du ${date(issueDate)} était échue le ${date(dueDate)} ; il reste ${money(due)} à payer.`,
        'Si vous avez payé entre-temps, vous n’avez rien à faire.',
      ],
    }),
    payNow: ({ due, iban, number }, { money }) =>
      `Merci de payer ${money(due)} maintenant` +
      (iban === null ? '.' : ` sur le compte ${iban}, avec la référence ${number}.`),
    pay: ({ due, dueDate, iban, number }, { date, money }) =>
      `Merci de payer ${money(due)} au plus tard le ${date(dueDate)}` +
      (iban === null ? '.' : ` sur le compte ${iban}, avec la référence ${number}.`),
    paid: 'Il ne reste rien à payer.',
    attached: 'Le document est joint en PDF, et en XML pour votre comptabilité.',
    more: 'Vous le trouvez aussi dans le portail :',
  },
};

/** The words of an e-mail about a document. */
export function documentWords(language: Language, occasion: Occasion, facts: DocumentFacts): Words {
  const texts = TEXTS[language];
  const writer = writerOf(texts.locale, facts.currency);
  const { subject, sentences } = texts[occasion](facts, writer);
  const { due, dueDate } = facts;
  const pay = occasion === 'reminder' ? texts.payNow : texts.pay;
  const payment = due === null ? [] : [due > 0 ? pay(facts, writer) : texts.paid];
  const { labels } = texts;
  return {
    subject,
    sentences: [...sentences, ...payment, texts.attached],
    facts: [
      [labels.number, facts.number],
      [labels.issued, writer.date(facts.issueDate)],
      [labels.total, writer.money(facts.total)],
      ...(due === null ? [] : [[labels.left, writer.money(Math.max(0, due))] as const]),
      ...(dueDate === null ? [] : [[labels.until, writer.date(dueDate)] as const]),
    ],
    more: texts.more,
  };
}

function writerOf(locale: string, currency: string): Writer {
  const decimals = decimalsOf(currency);
  const amounts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    date: (day) => (day === null ? '' : days.format(new Date(`${day}T00:00:00Z`))),
    money: (amount) =>
      amounts.format(formatAmount(amount ?? 0, currency) as Intl.StringNumericLiteral),
  };
}
