import { z } from 'zod';
import { isCurrency } from '#invoice-rules/currencies.js';
import { LANGUAGES } from '#invoice-rules/invoice.js';
import { LOGO_BYTES_MAX, logoOf } from '#invoice-documents/images/logo.js';
import { isEndpoint, isEndpointScheme } from '#invoice-rules/electronic-addresses.js';
import { INVOICE_FORMATS } from '#invoice-rules/profiles.js';
import { requiredParts, type AddressPart } from '#invoice-rules/postal-addresses.js';
import { compactIban, isBic, isCountry, isIban, isVatId } from '#invoice-rules/party-rules.js';
import { vatIdFault } from '#invoice-rules/vat-check-digits.js';
import { codeField, textField } from '#web/body-fields.js';
import { datevField, ledgerAccountsField } from './bookkeeping.body.js';
import { ordersField, packagesField } from './packages.body.js';
import { taxField } from './plan.body.js';

const NAME_LENGTH = 200;
const LINE_LENGTH = 200;
const CODE_LENGTH = 64;
const EMAIL_LENGTH = 254;
const PAYMENT_DAYS_MAX = 365;
const DEFAULT_PAYMENT_DAYS = 14;
const REMINDER_DAYS_MAX = 365;
const REMINDERS_MAX = 10;
const REMITTANCE_LENGTH = 500;
/** By the schema; the country decides. */
const OPTIONAL_PARTS: ReadonlySet<AddressPart> = new Set(['city', 'postcode']);
const COLOR = /^#[0-9a-f]{6}$/i;
/** Base64 takes four characters for three bytes; before it stands the type. */
const LOGO_LENGTH = 32 + Math.ceil((LOGO_BYTES_MAX * 4) / 3);

/** A currency in force. */
export const currencyField = z
  .string()
  .refine(isCurrency, 'An ISO 4217 code in force, such as USD');

/** Languages of documents. */
export const LanguageField = z
  .enum(LANGUAGES)
  .meta({ id: 'Language', description: 'Of documents; `en` unless given.' });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A missing part is reported beside all other faults of the address. */
function refuseMissingParts(
  address: { readonly [part in AddressPart]?: string | undefined },
  context: z.RefinementCtx,
): void {
  const { country } = address;
  for (const part of requiredParts(country)) {
    if (!OPTIONAL_PARTS.has(part) || address[part] !== undefined) continue;
    const where = isCountry(country ?? '') ? `, as addresses in ${country} need one` : '';
    context.addIssue({
      code: 'custom',
      path: [part],
      message: `This is missing: a ${part}${where}`,
    });
  }
}

const address = z
  .strictObject({
    line1: textField(LINE_LENGTH),
    line2: textField(LINE_LENGTH).optional(),
    city: textField(LINE_LENGTH)
      .optional()
      .meta({ description: 'Required, but in city states and countries that do without.' }),
    postcode: codeField(CODE_LENGTH)
      .optional()
      .meta({ description: 'Required in countries whose addresses need one.' }),
    region: textField(LINE_LENGTH)
      .optional()
      .meta({ description: 'State, province or prefecture.' }),
    country: z
      .string()
      .refine(isCountry, 'An ISO 3166-1 code such as DE')
      .meta({ description: 'ISO 3166-1 alpha-2.' }),
  })
  .superRefine(refuseMissingParts, { when: ({ value }) => isObject(value) });

const vatId = z
  .string()
  .trim()
  .refine(isVatId, {
    error: 'A VAT identifier that begins with its country, such as DE123456788',
    abort: true,
  })
  .superRefine((id, context) => {
    const fault = vatIdFault(id);
    if (fault !== undefined) context.addIssue(fault);
  })
  .meta({
    description:
      'VAT identifier with the prefix of its country; check digits of the EU and GB must fit.',
  });

const email = z.email().max(EMAIL_LENGTH);

const contact = z
  .strictObject({
    name: textField(NAME_LENGTH),
    phone: codeField(CODE_LENGTH),
    email,
  })
  .partial()
  .meta({ description: 'Whom to ask; `email` is that of the party unless given.' });

const endpoint = z
  .strictObject({
    scheme: z
      .string()
      .refine(isEndpointScheme, 'A code of the list of electronic addresses (EAS), such as 0088')
      .meta({ description: 'A code of the list EAS: 0088 is a GLN, EM an e-mail address.' }),
    id: codeField(CODE_LENGTH),
  })
  .refine(isEndpoint, { path: ['id'], error: 'An identifier as its scheme asks for it' })
  .meta({
    description: 'Where XML documents are received, or sent from; the e-mail address unless given.',
  });

/** Which rules the XML of documents keeps. */
export const InvoiceFormatField = z.enum(INVOICE_FORMATS).meta({
  id: 'InvoiceFormat',
  description:
    'Which rules the XML of documents keeps beyond EN 16931; an invoice that lacks what they ask ' +
    'for is held. `en16931` unless given.',
});

/** Body of `PUT /seller`. */
export const sellerBody = z.strictObject({
  name: textField(NAME_LENGTH),
  address,
  vat_id: vatId.optional(),
  registration_id: codeField(CODE_LENGTH).optional(),
  email,
  iban: z
    .string()
    .transform(compactIban)
    .refine(isIban, 'An IBAN whose check digits fit')
    .optional()
    .meta({ description: 'Kept without spaces.' }),
  bic: z
    .string()
    .transform((text) => text.trim().toUpperCase())
    .refine(isBic, 'A BIC of 8 or 11 characters')
    .optional(),
  payment_days: z.int().min(0).max(PAYMENT_DAYS_MAX).default(DEFAULT_PAYMENT_DAYS),
  reminder_days: z
    .array(z.int().min(1).max(REMINDER_DAYS_MAX))
    .min(1)
    .max(REMINDERS_MAX)
    .transform((days): readonly number[] =>
      [...new Set(days)].toSorted((one, other) => one - other),
    )
    .optional()
    .meta({
      description:
        'Days after the due date on which customers are reminded of what is due; none unless given.',
    }),
  tax_currency: currencyField.optional().meta({
    description:
      'In which tax is owed: invoices in another currency show it in this one too, by `exchange-rates`.',
  }),
  logo: z
    .string()
    .max(LOGO_LENGTH)
    .refine(
      (url) => logoOf(url) !== undefined,
      'A PNG or JPEG in a data URL, of at most 64 KiB and 2,000 × 2,000 pixels',
    )
    .optional()
    .meta({
      description:
        'A PNG (up to 8 bits, not interlaced) or a JPEG (RGB or grey) as a data URL: ' +
        '`data:image/png;base64,…`. At most 64 KiB and 2,000 × 2,000 pixels.',
    }),
  color: z
    .string()
    .regex(COLOR, 'A colour such as #1f4e79')
    .optional()
    .meta({ description: 'Colour of the page; texts get a darker shade where it is too light.' }),
  breakage_percent: z
    .number()
    .min(0)
    .max(100)
    .refine((rate) => Math.round(rate * 10_000) / 10_000 === rate, 'At most four decimals')
    .optional()
    .meta({ description: 'Share of unused credits that is expected to expire; 0 unless given.' }),
  ledger_accounts: ledgerAccountsField.optional(),
  datev: datevField.optional(),
  remittance: textField(REMITTANCE_LENGTH)
    .optional()
    .meta({ description: 'Printed below the payment: a bank, a discount, whom to ask.' }),
  contact: contact.optional(),
  endpoint: endpoint.optional(),
  packages: packagesField.optional(),
  orders: ordersField.optional(),
});

/** Body of `PUT /accounts/{id}/billing`. */
export const buyerBody = z.strictObject({
  name: textField(NAME_LENGTH),
  address,
  vat_id: vatId.optional(),
  email,
  buyer_reference: codeField(CODE_LENGTH).optional(),
  purchase_order: codeField(CODE_LENGTH).optional(),
  language: LanguageField.optional(),
  contact: contact.optional(),
  endpoint: endpoint.optional(),
  invoice_format: InvoiceFormatField.optional(),
  tax: taxField
    .optional()
    .meta({ description: 'Of all that is not issued yet; that of the plan unless given.' }),
  purchases: z.literal('monthly').optional().meta({
    description: "Purchases stay on their month's invoice; each has its own at once unless given.",
  }),
});

export type SellerBody = z.output<typeof sellerBody>;
export type BuyerBody = z.output<typeof buyerBody>;
