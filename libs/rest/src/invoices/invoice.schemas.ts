import { z } from 'zod';
import { datevField } from '#invoicing/bookkeeping.body.js';
import { ordersField, packagesField } from '#invoicing/packages.body.js';
import { InvoiceFormatField, LanguageField } from '#invoicing/party.body.js';
import { taxField, TaxCategory } from '#invoicing/plan.body.js';
import { invoiceState, paidBy, paymentMembers, received, Reminders } from './payment.schemas.js';
import { CreditLine, InvoiceLine } from './invoice-line.schemas.js';

// Invoices, credit notes and parties, in answers.

const uuid = z.uuid();
const amount = z.int();
const credits = z.int();
const date = z.iso.date();
const month = z.string().regex(/^\d{4}-\d{2}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

const address = z.strictObject({
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string().optional(),
  postcode: z.string().optional(),
  region: z.string().optional(),
  country: z.string(),
});

const contact = z
  .strictObject({ name: z.string(), phone: z.string(), email: z.string() })
  .partial()
  .optional();
const endpoint = z.strictObject({ scheme: z.string(), id: z.string() }).optional();

const seller = z
  .strictObject({
    name: z.string().optional(),
    address: address.optional(),
    vat_id: z.string().optional(),
    registration_id: z.string().optional(),
    email: z.string().optional(),
    iban: z.string().optional(),
    bic: z.string().optional(),
    payment_days: z.int().optional(),
    reminder_days: z.array(z.int()).optional(),
    tax_currency: z.string().optional(),
    logo_sha256: z.string().optional().meta({ description: 'SHA-256 of the image of the logo.' }),
    color: z.string().optional(),
    remittance: z.string().optional(),
    contact,
    endpoint,
  })
  .meta({ description: 'Who sends an invoice: what was filled in of it.' });

/** Who sends invoices: all members may be missing as long as nobody has filled them in. */
export const Seller = seller
  .omit({ logo_sha256: true })
  .extend({
    logo: z.string().optional().meta({ description: 'The image as a data URL.' }),
    breakage_percent: z.number().optional(),
    ledger_accounts: z.record(z.string(), z.string()).optional(),
    datev: datevField.optional(),
    packages: packagesField.optional(),
    orders: ordersField.optional(),
  })
  .meta({
    id: 'Seller',
    description: 'Who sends invoices: what is filled in of it.',
  });

const buyer = z
  .strictObject({
    name: z.string(),
    address: address.optional(),
    vat_id: z.string().optional(),
    email: z.string().optional(),
    buyer_reference: z.string().optional(),
    purchase_order: z.string().optional(),
    language: LanguageField.optional(),
    contact,
    endpoint,
    invoice_format: InvoiceFormatField.optional(),
  })
  .meta({ description: 'Whom invoices are addressed to; until it is filled in, by its name.' });

/** Billing details of an account. */
export const Buyer = buyer
  .extend({ tax: taxField.optional(), purchases: z.literal('monthly').optional() })
  .meta({ id: 'Buyer' });

const taxes = z.array(
  z.strictObject({
    category: TaxCategory,
    rate_percent: z.number(),
    taxable: amount,
    tax: amount,
    reason: z.string().optional(),
  }),
);
const amounts = {
  currency,
  net: amount,
  tax_breakdown: taxes,
  tax: amount,
  total: amount,
  tax_accounting: z
    .strictObject({
      currency,
      tax: amount,
      rate: z.string().meta({ description: 'Value of one unit of the document’s currency.' }),
      rate_date: date,
      rate_source: z.string(),
    })
    .optional()
    .meta({
      description: "The tax in the seller's `tax_currency`, where the invoice uses another.",
    }),
} as const;
const reference = z.strictObject({ number: z.string(), issue_date: date });
const reissued = {
  reissued_as: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Number of the invoice in the place of a voided one; null: none yet.' }),
  reissued_as_id: uuid.optional(),
} as const;
const ofMonth = {
  account_id: uuid,
  month,
  period: z.strictObject({ from: date, to: date }),
  issue_date: date,
  due_date: date,
  prepaid: amount.optional().meta({
    description: 'Part of the total that the credit balance pays as it is issued; absent: nothing.',
  }),
  reissue_of: reference
    .optional()
    .meta({ description: 'The voided invoice in whose place it is issued.' }),
  seller,
  buyer,
  lines: z.array(InvoiceLine),
  ...amounts,
  account_version: z.strictObject({ from: z.int(), to: z.int() }),
} as const;

const missing = z.array(
  z.strictObject({
    party: z.enum(['seller', 'buyer', 'document']).meta({ id: 'FaultyParty' }),
    pointer: z.string(),
    detail: z.string(),
  }),
);
const ofHeld = {
  number: z.string().nullable().meta({ description: 'Null while the invoice is held.' }),
  reasons: missing
    .optional()
    .meta({ description: 'Of a held invoice: what has to be corrected before it is issued.' }),
} as const;

const CallsTree = z.strictObject({ count: z.int().min(0), root: z.string() }).meta({
  description: 'The Merkle tree over the calls of the month, in invoices of earlier versions.',
});

/** An invoice. */
export const Invoice = z
  .strictObject({
    ...ofHeld,
    type: z.literal('invoice'),
    id: uuid,
    ...ofMonth,
    account_head: z.string(),
    calls_tree: CallsTree.optional(),
    state: invoiceState.optional(),
    credit_notes: z.array(z.string()).optional(),
    payments: z.array(z.strictObject({ ...paymentMembers, source: paidBy, received })).optional(),
    reminders: Reminders.optional(),
    ...reissued,
  })
  .meta({
    id: 'Invoice',
    description:
      'An invoice as it was issued. What became of it, `state`, `credit_notes` and `payments`, is no ' +
      'part of what was issued, and not in `.json`.',
  });

/** An issued invoice in a list. */
export const InvoiceSummary = z
  .strictObject({
    ...ofHeld,
    type: z.literal('invoice'),
    id: uuid,
    account_id: uuid,
    account_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'In lists over all accounts; null: erased.' }),
    test: z.boolean(),
    month,
    issue_date: date,
    due_date: date,
    currency,
    net: amount,
    tax: amount,
    total: amount,
    state: invoiceState,
  })
  .meta({ id: 'InvoiceSummary' });

/** A credit note. */
export const CreditNote = z
  .strictObject({
    number: z.string(),
    type: z.literal('credit_note'),
    id: uuid,
    account_id: uuid,
    month,
    issue_date: date,
    seller,
    buyer,
    settlement: z
      .strictObject({
        set_off: amount.meta({ description: 'No longer to be paid of the invoice.' }),
        refund: amount.meta({ description: 'Was paid, and is paid back.' }),
        credit_balance: amount
          .optional()
          .meta({ description: 'Was paid, and pays later invoices; absent: nothing.' }),
      })
      .optional()
      .meta({ description: 'Parts of the total. Absent: an older version did not state it.' }),
    invoice: reference,
    reason: z.string(),
    lines: z.array(CreditLine),
    ...amounts,
    credits_taken_back: credits
      .optional()
      .meta({ description: 'Unused credits of purchases that went with it.' }),
    credits_kept: credits.optional().meta({
      description: 'Unused credits of purchases that the account keeps, as promotional ones.',
    }),
    ...reissued,
  })
  .meta({
    id: 'CreditNote',
    description:
      'The reversal of an invoice or of a part of it. Its amounts are negative. What became of credits, ' +
      '`credits_taken_back` and `credits_kept`, is no part of what was issued, and not in `.json`.',
  });

/** An issued credit note in a list. */
export const CreditNoteSummary = z
  .strictObject({
    number: z.string(),
    type: z.literal('credit_note'),
    id: uuid,
    account_id: uuid,
    test: z.boolean(),
    month,
    invoice_number: z.string(),
    issue_date: date,
    currency,
    net: amount,
    tax: amount,
    total: amount,
  })
  .meta({ id: 'CreditNoteSummary' });

/** The invoice of the running month. */
export const InvoiceDraft = z
  .strictObject({
    type: z.literal('draft'),
    ...ofMonth,
    missing: missing.meta({ description: 'Data that the invoice still lacks to be lawful.' }),
    forecast: z
      .strictObject({
        credits_used: credits,
        billed_credits: credits,
        net: amount,
        tax: amount,
        total: amount,
      })
      .meta({
        description:
          'Amounts at the end of the month, if the account goes on as in its last windows.',
      }),
  })
  .meta({
    id: 'InvoiceDraft',
    description: 'The invoice of the running month as it would be issued now.',
  });
