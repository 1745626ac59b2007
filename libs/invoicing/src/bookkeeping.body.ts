import { z } from 'zod';
import { DEFAULT_ACCOUNTS, type Ledger } from '#invoice-rules/ledger-accounts.js';

const TAX_NAME = /^(?:S|Z|E|AE|G|O) (?:0|[1-9]\d?)(?:\.\d{0,3}[1-9])?$/;

/** A code of an account in a chart of accounts. */
export const accountCode = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,38}[!-~])?$/, '1 to 40 visible ASCII characters');

const LEDGERS = Object.keys(DEFAULT_ACCOUNTS) as Ledger[];
/** Own codes of the journal's accounts. */
export const ledgerAccountsField = z
  .strictObject(
    Object.fromEntries(LEDGERS.map((name) => [name, accountCode.optional()])) as Record<
      Ledger,
      z.ZodOptional<typeof accountCode>
    >,
  )
  .meta({ description: 'The journal\'s accounts in your chart, such as `{"bank": "1800"}`.' });

/** Settings of the export for DATEV. */
export const datevField = z
  .strictObject({
    consultant: z.int().min(1_001).max(9_999_999).meta({ description: 'Beraternummer.' }),
    client: z.int().min(1).max(99_999).meta({ description: 'Mandantennummer.' }),
    account_length: z.int().min(4).max(8).default(4).meta({
      description: 'Digits of an account of the chart; an account of a customer has one more.',
    }),
    fiscal_year_month: z.int().min(1).max(12).default(1).meta({
      description: 'Month in which the fiscal year begins.',
    }),
    tax_keys: z
      .record(
        z.string().regex(TAX_NAME, 'A category and a rate, such as "S 19" or "AE 0"'),
        z.string().regex(/^\d{1,4}$/, 'A BU-Schlüssel of 1 to 4 digits'),
      )
      .default({})
      .meta({
        description:
          'BU-Schlüssel by category and rate, `{"S 19": "3"}`; a tax without one has rows of its own.',
      }),
  })
  .meta({ description: 'Of the export `datev`.' });
