import type pg from 'pg';
import type { BudgetAlert } from '#account/budgets.js';
import type { EventName } from '#account/events.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { alertMail } from './alert-mail.js';
import { deliveredEvent } from './delivered-event.js';
import { isOfDocument, type DocumentMails } from './document-mails.js';
import type { NewDelivery } from './delivery.js';
import { isOfOrder, type OrderMails } from './order-mails.js';
import type { MailToSend } from './send-mail.js';
import { SIGN_IN_LINK, type SignInLinks } from './sign-in-links.js';

export interface MailsParts {
  readonly pool: pg.Pool;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly portalUrl: string;
  readonly links: Pick<SignInLinks, 'mail'>;
  readonly documents: Pick<DocumentMails, 'of'>;
  readonly orders: Pick<OrderMails, 'of'>;
}

/** The e-mails of deliveries, composed for each attempt from what is kept elsewhere. */
export class Mails {
  constructor(private readonly parts: MailsParts) {}

  /** Throws only when the database is away. */
  of(delivery: NewDelivery): Promise<MailToSend> {
    const { links, documents, orders } = this.parts;
    if (delivery.type === SIGN_IN_LINK) return links.mail(delivery.id);
    if (isOfOrder(delivery.type)) return orders.of(delivery);
    return isOfDocument(delivery.type) ? documents.of(delivery) : this.alert(delivery);
  }

  private async alert(delivery: NewDelivery): Promise<MailToSend> {
    const { pool, portalUrl } = this.parts;
    const event = await deliveredEvent(pool, delivery);
    if (event === undefined) throw new Error(`E-mail ${delivery.id} is of no event.`);
    const { account, address } = await this.recipient(delivery);
    if (address === undefined) return { unsendable: 'The address was erased.' };
    const alert = JSON.parse(event.data) as BudgetAlert;
    const scene = { account, at: event.at, portalUrl };
    return { address, mail: alertMail(event.type as EventName, alert, scene) };
  }

  /** Names and addresses stand in rows that may have been erased since. */
  private async recipient({ accountId, profileId, ordinal }: NewDelivery) {
    const id = accountId ?? '';
    const { accounts } = await this.parts.loader.loadCores([id]);
    const own = accounts.get(id)?.state.profile ?? '';
    const profiles = await findProfiles(this.parts.pool, [own, profileId ?? ''].filter(Boolean));
    return {
      account: profiles.get(own)?.name ?? id,
      address: profiles.get(profileId ?? '')?.emails?.[(ordinal ?? 0) - 1],
    };
  }
}
