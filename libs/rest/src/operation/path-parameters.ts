import { z } from 'zod';
import { isAccountCurrency } from '#invoice-rules/currencies.js';
import { parseDate } from '#calendar/civil-date.js';
import { parseInstant } from '#calendar/instant.js';
import {
  DOCUMENT_FORMATS,
  DOCUMENT_NUMBER,
  documentFile,
  type DocumentFormat,
} from '#projections/events/number-events.js';
import { isUuid } from '#web/uuid.js';

const EXTENSIONS = DOCUMENT_FORMATS.map((format) => documentFile('', format)).join(', ');
const LINE = /^[1-9]\d{0,5}$/;

/** Whether a text is a date of the years in which moments are taken. */
function isKnownDate(text: string): boolean {
  return parseInstant(`${text}T12:00:00Z`) !== undefined;
}

/** A number in a path, and the format that stands behind it: `INV-000001.pdf`. */
export interface DocumentName {
  readonly number: string;
  /** Null: the document with its state. */
  readonly format: DocumentFormat | null;
}

/** A number, alone or with the format that is asked for behind it: `INV-000001.pdf`. */
const documentName = z.string().transform((text, context): DocumentName => {
  const [number = ''] = text.split('.', 1);
  const format = DOCUMENT_FORMATS.find((known) => documentFile(number, known) === text) ?? null;
  const isId = isUuid(number);
  if ((format === null && text !== number) || (!isId && !DOCUMENT_NUMBER.test(number))) {
    context.addIssue(`A number like INV-000001, or an id, alone or with ${EXTENSIONS}.`);
  }
  return { number: isId ? number.toLowerCase() : number, format };
});

/** The variable parts of paths that are no UUIDs: the value of each, and how documents show it. */
const NAMED = {
  number: documentName.meta({
    description:
      'Number of the document, or its id. At the end of a path and with `.json`, `.csv`, `.pdf`, `.xml` ' +
      '(UBL) or `.cii.xml` behind it: the bytes of that format as they were issued.',
    example: 'INV-000001',
  }),
  line: z
    .string()
    .regex(LINE, 'A line of the invoice, such as 1')
    .transform(Number)
    .meta({
      description: 'Number of a line of usage, or of one that a grant covered.',
      schema: { type: 'integer', minimum: 1 },
    }),
  month: z
    .string()
    .refine((label) => parseDate(`${label}-01`) !== undefined, 'A month like 2026-11')
    .meta({
      description: 'A month.',
      schema: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' },
      example: '2026-10',
    }),
  currency: z
    .string()
    .refine(isAccountCurrency, 'An ISO 4217 code such as USD')
    .meta({
      description: 'ISO 4217: in force, or withdrawn since accounts were opened in it.',
      schema: { type: 'string', pattern: '^[A-Z]{3}$' },
      example: 'USD',
    }),
  date: z
    .string()
    .refine(isKnownDate, 'A date like 2026-11-30, of the years 1990 to 2200')
    .meta({
      description: 'A date.',
      schema: { type: 'string', format: 'date' },
      example: '2026-11-30',
    }),
  version: z.string().meta({
    description: 'Version of the rate card.',
    schema: { type: 'integer', minimum: 1 },
  }),
  name: z.string().meta({ description: 'Name of the projection.' }),
  release: z.string().meta({ description: 'Label of the release.', example: 'r2' }),
} as const;

const uuid = z
  .string()
  .refine(isUuid, 'A UUID')
  .transform((text) => text.toLowerCase());

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The values of the variable parts of a path like `/accounts/{account_id}`. */
export type PathValues<Path extends string> = {
  readonly [Name in Names<Path>]: Name extends keyof typeof NAMED
    ? z.output<(typeof NAMED)[Name]>
    : string;
};

/** The names of the variable parts of a path, in their order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A path as the server names its route: `/accounts/:account_id`. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The schema of the path parameter with that name. Ids are UUIDs; their value is in lower case. */
export function pathParameter(name: string): z.ZodType<unknown, string> {
  if (name in NAMED) return NAMED[name as keyof typeof NAMED];
  const what = name.slice(0, name.lastIndexOf('_')).replace('_', ' ');
  return uuid.meta({
    description: `Id of the ${what}.`,
    schema: { type: 'string', format: 'uuid' },
  });
}
