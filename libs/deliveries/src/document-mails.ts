import type pg from 'pg';
import type { CreditNote, Invoice } from '#billing/invoice.js';
import { invoiceAccount } from '#billing/invoice-account.js';
import { readBilling } from '#ledger/invoices/account-billing.js';
import { findKept } from '#ledger/invoices/documents.js';
import {
  documentFile,
  MEDIA_TYPES,
  type CreditNoteNumbered,
  type DocumentFormat,
  type InvoiceNumbered,
} from '#ledger/events/number-events.js';
import type { NotificationType } from '#ledger/projections/notification-types.js';
import type { BillingAddresses } from './billing-addresses.js';
import { deliveredEvent } from './delivered-event.js';
import type { NewDelivery } from './delivery.js';
import { documentWords, type DocumentFacts } from './document-texts.js';
import { letter } from './letter.js';
import type { Attachment, MailToSend } from './send-mail.js';

export interface DocumentMailsParts {
  readonly pool: pg.Pool;
  readonly addresses: Pick<BillingAddresses, 'of'>;
  readonly portalUrl: string;
}

type Numbered = InvoiceNumbered | CreditNoteNumbered;

/** Types of notifications that are also mailed to the billing address. */
const TYPES: ReadonlySet<string> = new Set<NotificationType>([
  'invoice.issued',
  'credit_note.issued',
]);

export function isOfDocument(type: string): boolean {
  return TYPES.has(type);
}

const ATTACHED: readonly DocumentFormat[] = ['pdf', 'xml'];

/** E-mails with an invoice or a credit note, as it was issued. */
export class DocumentMails {
  constructor(private readonly parts: DocumentMailsParts) {}

  /** Goes to the billing details as they are now. Throws only when the database is away. */
  async of(delivery: NewDelivery): Promise<MailToSend> {
    const { pool, addresses, portalUrl } = this.parts;
    const event = await deliveredEvent(pool, delivery);
    if (event === undefined) throw new Error(`E-mail ${delivery.id} is of no event.`);
    const numbered = JSON.parse(event.data) as Numbered;
    const { account_id: accountId, number } = numbered;
    const buyer = (await addresses.of([accountId])).get(accountId);
    if (buyer === undefined) return { unsendable: 'The billing details name no e-mail address.' };
    const files = await this.files(numbered);
    if (files === undefined) return { unsendable: 'The parties of the document were removed.' };
    const { facts, replyTo } = await this.facts(accountId, files.document);
    const { language = 'en' } = buyer;
    const occasion = files.document.type === 'invoice' ? 'invoice' : 'creditNote';
    const words = documentWords(language, occasion, facts);
    const url = `${portalUrl}/invoices${occasion === 'invoice' ? `/${number}` : ''}`;
    const mail = { ...letter(words, language, url), attachments: files.attachments };
    return { address: buyer.email, mail: { ...mail, language, ...(replyTo && { replyTo }) } };
  }

  /** Undefined: nothing may be sent of it any more. */
  private async files({ number, documents }: Numbered) {
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

  private async facts(accountId: string, document: Invoice | CreditNote) {
    const { number, seller, currency, total } = document;
    const common = {
      number,
      currency,
      total,
      issueDate: document.issue_date,
      seller: seller.name ?? '',
      iban: seller.iban ?? null,
    };
    const facts: DocumentFacts =
      document.type === 'invoice'
        ? {
            ...common,
            due: await this.due(accountId, document),
            dueDate: document.due_date,
            invoiceNumber: null,
          }
        : { ...common, due: null, dueDate: null, invoiceNumber: document.invoice.number };
    return { facts, replyTo: seller.email };
  }

  /** The amount left to pay now: a credit balance may have paid it as it was issued. */
  private async due(accountId: string, invoice: Invoice): Promise<number> {
    const { events } = await readBilling(this.parts.pool, accountId);
    return invoiceAccount(invoice, events).due;
  }
}
