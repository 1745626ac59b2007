import { z } from 'zod';
import { packageFields } from '#invoicing/packages.body.js';
import { textField } from '#web/body-fields.js';
import { PAGE_QUERY } from '#web/query.js';
import { OF_ALL } from '../invoices/invoice-requests.js';

const REASON_LENGTH = 500;

/** The body of ordering: a package as it was shown, so that no price is a surprise. */
export const OrderTopUp = z
  .strictObject({
    package: packageFields.name.meta({ description: 'Name of a package of the seller.' }),
    credits: packageFields.credits.meta({ description: 'As it was shown.' }),
    price: packageFields.price.meta({ description: 'As it was shown: net, in minor units.' }),
  })
  .meta({ id: 'OrderTopUp' });
export type OrderTopUp = z.output<typeof OrderTopUp>;

/** The body of declining. */
export const DeclineOrder = z
  .strictObject({
    reason: textField(REASON_LENGTH).meta({ description: 'The customer reads it.' }),
  })
  .meta({ id: 'DeclineOrder' });

/** An order of credits, and what became of it. */
export const Order = z
  .strictObject({
    id: z.uuid().meta({ description: 'Of an accepted order its grant has it too.' }),
    account_id: z.uuid(),
    account_name: z.string().nullable().optional().meta({
      description: 'In lists over all accounts; null: erased.',
    }),
    package: z.string(),
    credits: z.int(),
    price: z.int().meta({ description: 'Net, in minor units.' }),
    currency: z.string(),
    status: z.enum(['open', 'accepted', 'declined', 'cancelled']).meta({ id: 'TopUpOrderStatus' }),
    ordered_at: z.iso.datetime(),
    ordered_by: z.string().meta({
      description: 'E-mail address of a member; else id of a session or token, or `owner`.',
    }),
    ended_at: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
    reason: z.string().nullable().meta({ description: 'Why it was declined.' }),
    invoice_id: z.uuid().nullable().meta({
      description: 'The invoice of an accepted one; null where it is on that of its month.',
    }),
    invoice_number: z.string().nullable().meta({ description: 'Null until it is issued.' }),
  })
  .meta({ id: 'TopUpOrder' });
export type Order = z.output<typeof Order>;

/** Which orders of an account a list shows. */
export const ORDERS_QUERY = z.strictObject(PAGE_QUERY);

/** Which open orders of all accounts a list shows. */
export const OPEN_ORDERS_QUERY = z.strictObject({ ...PAGE_QUERY, test: OF_ALL.test });
