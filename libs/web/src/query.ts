import { z } from 'zod';
import { isCursor } from './cursor.js';
import { invalidParameters, type ParameterFault } from './parameter-fault.js';
import { ProblemException } from './problem.js';
import { faultSentence, schemaFaultText } from './schema-fault.js';

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Default number of rows of a page. */
export const PAGE_ROWS = 100;

const after = z
  .string()
  .max(4_000)
  .refine(isCursor, 'A cursor: the value of "next" of the page before')
  .optional()
  .meta({
    description: 'Cursor of the page: `next` of the page before it.',
    schema: { type: 'string' },
  });
const limit = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'A whole number from 1 to 1000')
  .transform(Number)
  .refine((rows) => rows <= 1000, 'A whole number from 1 to 1000');
const LENGTH = {
  description: 'Number of items of a page.',
  schema: { type: 'integer', minimum: 1, maximum: 1000, default: PAGE_ROWS },
} as const;

/** In which order a list comes. */
export const Order = z.enum(['asc', 'desc']).meta({ id: 'Order' });

const order = Order.default('asc').meta({
  description:
    'As the list stands (oldest first where it is one of events), or the other way round.',
});

/** Query of a list in every application: a cursor, a page's length and the order. */
export const PAGE_QUERY = { after, limit: limit.default(PAGE_ROWS).meta(LENGTH), order } as const;

/** The same for a list that can be had whole, as CSV and without a length. */
export const LIST_QUERY = { after, limit: limit.optional().meta(LENGTH), order } as const;

/** The order of a list: as it is, or from its end. */
export type Order = z.output<typeof Order>;

/** A page as it was asked for. */
export type PageQuery = z.output<z.ZodObject<typeof PAGE_QUERY>>;

/** The part of a request target after its first "?", or an empty text. */
export function rawQuery(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/**
 * Reads the query of a request target by a schema whose members take texts. Throws a
 * ProblemException (`invalid-parameter`) with all faults at once: unknown and repeated parameters
 * and broken escapes are faults too, and those that were found elsewhere in the request.
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  url: string,
  foundBefore: readonly ParameterFault[] = [],
): z.output<z.ZodObject<Shape>> {
  const faults: ParameterFault[] = [...foundBefore];
  const known = Object.keys(schema.shape);
  const values = new Map<string, string>();
  for (const { name, value } of readPairs(rawQuery(url), faults)) {
    if (!known.includes(name)) {
      faults.push(unknownFault(name, value, known));
    } else if (values.has(name)) {
      faults.push(fault(name, value, 'This is there more than once.'));
    } else values.set(name, value);
  }
  const result = schema.safeParse(Object.fromEntries(values), { error: schemaFaultText });
  if (!result.success) faults.push(...result.error.issues.map((one) => issueFault(one, values)));
  if (faults.length > 0 || !result.success) throw new ProblemException(invalidParameters(faults));
  return result.data;
}

/** A parameter as it was sent, decoded; null when it is missing. */
export function sentParameter(url: string, name: string): string | null {
  const pairs = [...readPairs(rawQuery(url), [])];
  return pairs.find((pair) => pair.name === name)?.value ?? null;
}

/** A query where none is taken: every parameter is a fault. A bare "?" is no query. */
export function queryFaults(url: string): ParameterFault[] {
  const faults: ParameterFault[] = [];
  for (const { name, value } of readPairs(rawQuery(url), faults)) {
    faults.push(unknownFault(name, value, []));
  }
  return faults;
}

function* readPairs(query: string, faults: ParameterFault[]): Generator<Pair> {
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) {
      faults.push(fault(name ?? part, part, 'A percent sign must begin an escape in UTF-8.'));
    } else if (name.includes('\0') || value.includes('\0')) {
      // PostgreSQL takes no text that holds one, so nothing could be found under it either.
      faults.push(fault(name, value, 'No parameter holds a NUL character.'));
    } else yield { name, value };
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function unknownFault(name: string, value: string, known: readonly string[]): ParameterFault {
  if (known.length === 0) return fault(name, value, 'No query parameter is taken here.');
  const detail = `There is no such parameter here; known are ${known.join(', ')}.`;
  return fault(name, value, detail, known);
}

function issueFault(issue: z.core.$ZodIssue, values: Map<string, string>): ParameterFault {
  const name = String(issue.path[0] ?? '');
  const allowed = issue.code === 'invalid_value' ? issue.values.map(String) : undefined;
  const value = values.get(name) ?? null;
  const detail = faultSentence(issue.message, value === null);
  return fault(name, value, allowed ? undefined : detail, allowed);
}

function fault(
  name: string,
  value: string | null,
  detail?: string,
  allowed?: readonly string[],
): ParameterFault {
  return { in: 'query', name, value, ...(allowed && { allowed }), ...(detail && { detail }) };
}
