import { decimalsOf } from '#invoice-rules/currencies.js';
import type { CreditPackage } from '#invoice-rules/invoice.js';
import { packagesOf, packagesText } from './packages-text.js';

/** How a field is typed in, and what becomes of it in the body. */
export type FieldKind =
  | 'text'
  | 'area'
  | 'number'
  | 'decimal'
  /** Typed as `49.00`, sent as minor units. */
  | 'money'
  | 'select'
  | 'checks'
  /** Several of the options, in a list. */
  | 'choices'
  /** Words, each ended by Enter. */
  | 'words'
  /** Whole numbers, each ended by Enter. */
  | 'numbers'
  /** Texts by name, each typed as `name=text` and ended by Enter. */
  | 'pairs'
  /** Packages of credits, one a line: `Starter: 100,000 for 1,200.00 USD`. */
  | 'packages'
  /** Yes or no. */
  | 'flag'
  | 'moment'
  | 'date'
  /** A file, sent as a data URL. */
  | 'image'
  | 'month';

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** One field of a form. `name` is its place in the body: `address/city`. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind?: FieldKind;
  readonly description?: string;
  readonly placeholder?: string;
  readonly options?: readonly Option[];
  /** Of money. */
  readonly currency?: string;
  /** Sent as null where it is empty; left out otherwise. */
  readonly nullable?: boolean;
  /** Whether it may be empty beside the other values. Absent: its label says so where it may. */
  readonly isOptional?: (values: FormValues) => boolean;
  /** Stands beside the field before it where there is room. */
  readonly beside?: boolean;
  /** Whether it is asked for beside these values; absent: always. */
  readonly appliesTo?: (values: FormValues) => boolean;
}

export type FieldValue = string | number | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FieldValue>>;

/** The label of a field beside the values of its form. */
export function labelOf({ label, isOptional }: Field, values: FormValues): string {
  return isOptional?.(values) === true ? `${label} (optional)` : label;
}

/** `49`, `EUR` → `4900` */
export function toMinor(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}

/** `4900`, `EUR` → `49` */
export function fromMinor(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}

function isEmpty(value: FieldValue | undefined): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string' && value.trim() === '';
}

/** A value that cannot be read is sent as typed: the service reports the fault at the field. */
function memberOf({ kind = 'text', currency = 'USD' }: Field, value: FieldValue): unknown {
  if (kind === 'money') return typeof value === 'number' ? toMinor(value, currency) : value;
  if (kind === 'numbers') {
    return (value as readonly string[]).map((text) => (/^\d+$/.test(text) ? Number(text) : text));
  }
  if (kind === 'pairs') {
    return Object.fromEntries((value as readonly string[]).map(pairOf));
  }
  if (kind === 'moment') {
    const at = new Date(String(value));
    return Number.isNaN(at.getTime()) ? value : at.toISOString().replace('.000Z', 'Z');
  }
  if (kind === 'packages') return packagesOf(String(value));
  return typeof value === 'string' && kind !== 'select' ? value.trim() : value;
}

/** `crm=4711` → `['crm', '4711']` */
function pairOf(text: string): [string, string] {
  const [name = '', ...rest] = text.split('=');
  return [name.trim(), rest.join('=').trim()];
}

function put(body: Record<string, unknown>, path: readonly string[], member: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    body[name] = member;
    return;
  }
  const inner = (body[name] ?? {}) as Record<string, unknown>;
  body[name] = inner;
  put(inner, rest, member);
}

/** The body that a form stands for. */
export function bodyOf(fields: readonly Field[], values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (value !== undefined && !isEmpty(value)) {
      put(body, field.name.split('/'), memberOf(field, value));
    } else if (field.nullable === true) put(body, field.name.split('/'), null);
  }
  return body;
}

/** The values that stand in a form for something that exists; money as it is typed. */
export function valuesOf(fields: readonly Field[], from: unknown): FormValues {
  const values: Record<string, FieldValue> = {};
  for (const { name, kind, currency = 'USD' } of fields) {
    let member: unknown = from;
    for (const part of name.split('/')) {
      member = (member as Record<string, unknown> | null | undefined)?.[part];
    }
    if (member === undefined || member === null) continue;
    if (kind === 'money') values[name] = fromMinor(Number(member), currency);
    else if (kind === 'packages') values[name] = packagesText(member as readonly CreditPackage[]);
    else if (kind === 'pairs') {
      const texts = Object.entries(member as Readonly<Record<string, string>>);
      values[name] = texts.map((pair) => pair.join('='));
    } else if (kind === 'numbers') values[name] = (member as readonly number[]).map(String);
    else values[name] = member as FieldValue;
  }
  return values;
}
