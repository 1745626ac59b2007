import type pg from 'pg';
import type { TopUpEnded, TopUpOrdered } from '#account/orders.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { readSeller } from '#projections/invoices/seller-row.js';
import { readAccountNames } from '#projections/reads/account-names.js';
import { readable } from '#projections/texts/readable.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import type { BillingAddresses } from './billing-addresses.js';
import { deliveredEvent } from './delivered-event.js';
import type { NewDelivery } from './delivery.js';
import { documentMoney } from './document-texts.js';
import { letter } from './letter.js';
import type { MailToSend } from './send-mail.js';

export interface OrderMailsParts {
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'read'>;
  readonly addresses: Pick<BillingAddresses, 'of'>;
  readonly portalUrl: string;
}

const ORDERED: NotificationType = 'top_up.ordered';
const DECLINED: NotificationType = 'top_up.declined';

export function isOfOrder(type: string): boolean {
  return type === ORDERED || type === DECLINED;
}

/** E-mails about orders: a new one goes to the seller, a declined one to the billing address. */
export class OrderMails {
  constructor(private readonly parts: OrderMailsParts) {}

  /** Throws only when the database is away. */
  async of(delivery: NewDelivery): Promise<MailToSend> {
    const event = await deliveredEvent(this.parts.pool, delivery);
    if (event === undefined) throw new Error(`E-mail ${delivery.id} is of no event.`);
    return delivery.type === ORDERED ? this.ordered(event) : this.declined(event);
  }

  private async ordered({ accountId, data }: StoredEvent): Promise<MailToSend> {
    const { pool, system, portalUrl } = this.parts;
    const { email } = await readSeller(pool, system);
    if (email === undefined) return { unsendable: 'The seller has no e-mail address.' };
    const { package: name, credits, price, currency, at_once } = JSON.parse(data) as TopUpOrdered;
    const account = (await readAccountNames(pool, [accountId])).get(accountId) ?? accountId;
    const next = at_once
      ? 'The credits were given at once, and are invoiced as a purchase.'
      : 'Accept or decline the order in the console: it stands among what is to do.';
    const words = {
      subject: `${account} has ordered “${name}”`,
      sentences: [`${account} has ordered credits.`, next],
      facts: [
        ['Package', name],
        ['Credits', credits.toLocaleString('en')],
        ['Price before tax', documentMoney('en', price, currency)],
        ['Account', accountId],
      ] as const,
      more: 'The customer sees the order in the portal:',
    };
    return { address: email, mail: letter(words, 'en', `${portalUrl}/credits`) };
  }

  private async declined(event: StoredEvent): Promise<MailToSend> {
    const { pool, system, addresses, portalUrl } = this.parts;
    const { accountId } = event;
    const buyer = (await addresses.of([accountId])).get(accountId);
    if (buyer === undefined) return { unsendable: 'The billing details name no e-mail address.' };
    const { email: replyTo, name: seller = 'Your provider' } = await readSeller(pool, system);
    const [stored = event] = await readable(pool, [event]);
    const { reason } = JSON.parse(stored.data) as TopUpEnded;
    const words = {
      subject: `${seller} has declined your order of credits`,
      sentences: [`${seller} has declined your order of credits. Nothing is to be paid for it.`],
      facts: reason ? [['Reason', reason] as const] : [],
      more: 'You can order again in the portal:',
    };
    const mail = letter(words, 'en', `${portalUrl}/credits`);
    return { address: buyer.email, mail: { ...mail, ...(replyTo !== undefined && { replyTo }) } };
  }
}
