import type pg from 'pg';
import type { ReminderDue } from '#account/billing-events.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { invoiceAccount, type InvoiceAccount } from '#invoice-rules/invoice-account.js';
import { reminderLevel } from '#invoice-rules/reminders.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { readBilling, type AccountBilling } from '#projections/invoices/account-billing.js';
import { findKept } from '#projections/invoices/documents.js';
import {
  documentFile,
  MEDIA_TYPES,
  type CreditNoteNumbered,
  type DocumentFormat,
  type InvoiceNumbered,
} from '#projections/events/number-events.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { readSeller } from '#projections/invoices/seller-row.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import type { BillingAddresses } from './billing-addresses.js';
import { deliveredEvent } from './delivered-event.js';
import type { NewDelivery } from './delivery.js';
import {
  documentWords,
  reminderLetter,
  type DocumentFacts,
  type Occasion,
} from './document-texts.js';
import { letter } from './letter.js';
import type { Attachment, MailToSend } from './send-mail.js';

export interface DocumentMailsParts {
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'read'>;
  readonly addresses: Pick<BillingAddresses, 'of'>;
  readonly portalUrl: string;
}

type NumberedDocument = InvoiceNumbered | CreditNoteNumbered;

/** Types of notifications that are also mailed to the billing address. */
const TYPES: ReadonlySet<string> = new Set<NotificationType>([
  'invoice.issued',
  'credit_note.issued',
  'invoice.reminder',
]);

export function isOfDocument(type: string): boolean {
  return TYPES.has(type);
}

const REMINDER = 'ReminderDue';

const ATTACHED: readonly DocumentFormat[] = ['pdf', 'xml'];

/** E-mails with an invoice or a credit note, as it was issued. */
export class DocumentMails {
  constructor(private readonly parts: DocumentMailsParts) {}

  /** Goes to the billing details as they are now. Throws only when the database is away. */
  async of(delivery: NewDelivery): Promise<MailToSend> {
    const { pool, addresses, portalUrl } = this.parts;
    const event = await deliveredEvent(pool, delivery);
    if (event === undefined) throw new Error(`E-mail ${delivery.id} is of no event.`);
    const numbered = await this.numbered(event);
    const { account_id: accountId, number } = numbered;
    const buyer = (await addresses.of([accountId])).get(accountId);
    if (buyer === undefined) return { unsendable: 'The billing details name no e-mail address.' };
    const files = await this.files(numbered);
    if (files === undefined) return { unsendable: 'The parties of the document were removed.' };
    const { document, attachments } = files;
    const billing = await readBilling(pool, accountId);
    // As it is now: a credit balance may have paid it as it was issued.
    const account = document.type === 'invoice' ? invoiceAccount(document, billing.events) : null;
    const isReminder = event.type === REMINDER;
    if (isReminder && (account === null || isOver(account))) return { isOver: true };
    const occasion = isReminder ? await this.letter(event, billing) : occasionOf(document);
    const { language = 'en' } = buyer;
    const words = documentWords(language, occasion, {
      ...commonFacts(document),
      due: account?.due ?? null,
    });
    const url = `${portalUrl}/invoices${document.type === 'invoice' ? `/${number}` : ''}`;
    const { email: replyTo } = document.seller;
    const mail = { ...letter(words, language, url), attachments, language };
    return { address: buyer.email, mail: { ...mail, ...(replyTo !== undefined && { replyTo }) } };
  }

  /** The number that a document was given, by the event of that or of a reminder. */
  private async numbered({ type, data }: StoredEvent): Promise<NumberedDocument> {
    if (type !== REMINDER) return JSON.parse(data) as NumberedDocument;
    const { invoice_id: id } = JSON.parse(data) as ReminderDue;
    const [issued] = await findNumbersOf(this.parts.pool, [id]);
    if (issued === undefined) throw new Error(`Invoice ${id} has no number.`);
    return issued.data;
  }

  /** Undefined: nothing may be sent of it any more. */
  private async files({ number, documents }: NumberedDocument) {
    const hashes = [documents.json, documents.pdf, documents.xml].filter((hash) => hash !== null);
    const kept = await findKept(this.parts.pool, hashes);
    const json = kept.get(documents.json);
    if (json === undefined || json.redacted !== null) return undefined;
    const attachments = ATTACHED.flatMap((format): Attachment[] => {
      const body = kept.get(documents[format] ?? '')?.body;
      const contentType = MEDIA_TYPES[format];
      const filename = documentFile(number, format);
      return body === undefined ? [] : [{ filename, contentType, content: body }];
    });
    const document = JSON.parse(json.body.toString('utf8')) as Invoice | CreditNote;
    return { document, attachments };
  }

  private async letter({ data }: StoredEvent, { events }: AccountBilling): Promise<Occasion> {
    const { pool, system } = this.parts;
    const { invoice_id: id, days } = JSON.parse(data) as ReminderDue;
    const sent = events.flatMap((event) =>
      event.type === 'ReminderDue' && event.data.invoice_id === id ? [event.data.days] : [],
    );
    const { reminder_days: all = [] } = await readSeller(pool, system);
    return reminderLetter(reminderLevel(days, sent, all));
  }
}

function occasionOf({ type }: Invoice | CreditNote): 'invoice' | 'creditNote' {
  return type === 'invoice' ? 'invoice' : 'creditNote';
}

/** Whether nobody is to be reminded any more. */
function isOver({ due, reminded }: InvoiceAccount): boolean {
  return due <= 0 || reminded.isStopped;
}

function commonFacts(document: Invoice | CreditNote): Omit<DocumentFacts, 'due'> {
  const { number, seller, currency, total, issue_date: issueDate } = document;
  const isInvoice = document.type === 'invoice';
  return {
    number,
    issueDate,
    seller: seller.name ?? '',
    currency,
    total,
    dueDate: isInvoice ? document.due_date : null,
    iban: seller.iban ?? null,
    invoiceNumber: isInvoice ? null : document.invoice.number,
  };
}
