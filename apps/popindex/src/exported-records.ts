import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse';
import type { z } from 'zod';
import { StartupError } from '#web/startup-error.js';
import { callerPath } from './admin/caller-path.js';
import { fileFault } from './admin/file-fault.js';

const FAULTS_SHOWN = 5;

/** Why a file cannot be read. */
export function unreadable(name: string, error: unknown): StartupError {
  return new StartupError(`popindex: ${name}: ${fileFault(error)}`, { cause: error });
}

/** The JSON value that a file holds. Throws StartupError. */
export async function readJsonFile(name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(callerPath(name), 'utf8')) as unknown;
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** A value as a schema has it. Throws StartupError with everything that is wrong with it. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  name: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const shown = issues
    .slice(0, FAULTS_SHOWN)
    .map((issue) => `  /${issue.path.map(String).join('/')}: ${issue.message}`);
  const more = issues.length > FAULTS_SHOWN ? [`  … and ${issues.length - FAULTS_SHOWN} more`] : [];
  throw new StartupError(
    [`popindex: ${name} is not what it should be:`, ...shown, ...more].join('\n'),
  );
}

/** Pages as they are answered, one page, or an array of records. */
function recordsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const items = (value as { readonly items?: unknown } | null)?.items;
  return Array.isArray(items) ? items : [value];
}

/**
 * Records that were exported, from JSON (a page, or an array) or from CSV with a header line. `row`
 * makes one of a row's texts. Throws StartupError.
 */
export async function readRecords<Record>(
  name: string,
  schema: z.ZodType<Record>,
  row: (texts: Readonly<globalThis.Record<string, string>>) => unknown,
): Promise<Record[]> {
  const found: Record[] = [];
  const add = (value: unknown): void => {
    found.push(checked(schema, value, `${name}, record ${found.length + 1}`));
  };
  if (name.endsWith('.json')) {
    for (const value of recordsIn(await readJsonFile(name))) add(value);
    return found;
  }
  const rows = createReadStream(callerPath(name)).on('error', (error) => parser.destroy(error));
  const parser = rows.pipe(parse({ columns: true, bom: true }));
  try {
    for await (const texts of parser) add(row(texts as globalThis.Record<string, string>));
  } catch (error) {
    throw error instanceof StartupError ? error : unreadable(name, error);
  }
  return found;
}
