import type { ProblemBody } from '#client/problem-error.js';
import { withMoneyTexts } from './money-cells.js';

/** The members of a problem that are printed. */
export interface RefusalText extends Partial<ProblemBody> {
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly detail?: string;
    readonly allowed?: readonly unknown[];
  }[];
}

type Members = Readonly<Record<string, unknown>>;

const NUMBERS = new Intl.NumberFormat('en');
const NUMERIC = /^(?:[A-Z]{3} )?-?[\d,]+(?:\.\d+)?$/;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bytes that would move a terminal's cursor are shown, not obeyed: names come from customers. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

/** Whether members are values alone, which one line can show. */
function isFlat(members: Members): boolean {
  return !Object.values(members).some((one) => typeof one === 'object' && one !== null);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number')
    return Number.isInteger(value) ? NUMBERS.format(value) : `${value}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && !value.some(isMembers)) return value.map(cell).join(', ') || '-';
  const isLine = isMembers(value) && isFlat(value);
  return isLine ? membersText(value) : printable(JSON.stringify(value));
}

function membersText(members: Members): string {
  const entries = Object.entries(members);
  const texts = entries.map(([name, value]) => `${printable(words(name))}: ${cell(value)}`);
  return texts.join(', ') || '-';
}

/** A member's name as a person reads it. */
function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The member of a column: `total`, or `state.status` of an object in the row. */
function valueAt(item: Members, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>((value, name) => (isMembers(value) ? value[name] : undefined), item);
}

/** Rows under their headers, numbers on the right. Pure. */
export function tableText(columns: readonly string[], items: readonly Members[]): string {
  const rows = items.map((item) => columns.map((column) => cell(valueAt(item, column))));
  const headers = columns.map((column) => words(column.split('.').at(-1) ?? ''));
  const widths = headers.map((header, index) =>
    Math.max(header.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const onRight = headers.map((_, index) => rows.every((row) => NUMERIC.test(row[index] ?? '')));
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return onRight[index] === true ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  if (rows.length === 0) return 'There are none.';
  return [line(headers), ...rows.map(line)].join('\n');
}

/** The members of a thing; those of an object that no line can show stand beside them. */
function entriesOf(value: Members, before = ''): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([name, member]) =>
    isMembers(member) && !isFlat(member)
      ? entriesOf(member, `${before}${name} `)
      : [[`${before}${name}`, member] as const],
  );
}

/** One thing: a line for each member, and what it lists as tables below. Pure. */
export function thingText(value: Members): string {
  const entries = entriesOf(value);
  const isTable = (member: unknown): member is readonly Members[] =>
    Array.isArray(member) && member.length > 0 && member.every(isMembers);
  const plain = entries.filter(([, member]) => !isTable(member));
  const width = Math.max(0, ...plain.map(([name]) => name.length));
  const lines = plain.map(([name, member]) => `${words(name).padEnd(width)}  ${cell(member)}`);
  const tables = entries.flatMap(([name, member]) =>
    isTable(member) ? ['', `${words(name)}:`, tableText(columnsOf(member), member)] : [],
  );
  return [...lines, ...tables].join('\n');
}

function columnsOf(items: readonly Members[]): string[] {
  return [...new Set(items.flatMap((item) => Object.keys(item)))];
}

/** An answer for a person; `columns` where it is a list. Pure. */
export function answerText(answer: unknown, columns: readonly string[] | undefined): string {
  const value = withMoneyTexts(answer);
  if (!isMembers(value)) return cell(value);
  const { items, next, ...others } = value;
  if (!Array.isArray(items)) return thingText(value);
  const rows = items as readonly Members[];
  const shown =
    columns?.filter((column) => rows.some((row) => valueAt(row, column) !== undefined)) ??
    columnsOf(rows);
  const lines = [tableText(shown.length > 0 ? shown : columnsOf(rows), rows)];
  if (Object.keys(others).length > 0) lines.push('', thingText(others));
  if (typeof next === 'string') lines.push('', `There is more: --after ${next}`);
  return lines.join('\n');
}

/** Arguments and options by the names of their parameters and members in a request. */
export type TypedNames = Readonly<Record<string, string>>;

/** The place of a fault as it was typed: `--plan /monthly_fee`. The empty name: the whole body. */
function placeOf(pointer: string, names: TypedNames): string {
  const [, member = '', below] = /^\/?([^/]*)(\/.*)?$/.exec(pointer) ?? [];
  const typed = member === '' ? undefined : names[member];
  if (typed !== undefined) return [typed, below].filter(Boolean).join(' ');
  return [names[''], pointer].filter(Boolean).join(' ') || 'body';
}

/** A sentence of the service with its parameters as they were typed. */
function inTypedNames(sentence: string, names: TypedNames): string {
  return sentence.replaceAll(
    /`(\w+)(?:=(\w+))?`|\b[a-z]+_\w+\b/g,
    (found, quoted?: string, value?: string) => {
      const typed = names[quoted ?? found];
      return typed === undefined ? found : [typed, value].filter(Boolean).join(' ');
    },
  );
}

/** Why the service refused, each fault on a line of its own. Pure. */
export function refusalText(status: number, problem: RefusalText, names: TypedNames = {}): string {
  const { title = 'The service refused', code, detail, errors = [], parameters = [] } = problem;
  const faults = [
    ...errors.map(({ pointer, detail: fault }) => `  ${placeOf(pointer, names)}: ${fault}`),
    ...parameters.map(({ in: place, name, detail: fault, allowed }) => {
      const takes = allowed === undefined ? 'is wrong' : `takes ${allowed.join(', ')}`;
      return `  ${names[name] ?? `${place} ${name}`}: ${fault ?? takes}`;
    }),
  ];
  const codes = [status, code].filter(Boolean).join(' ');
  const request = problem.instance?.replace('urn:uuid:', '');
  const lines = [
    // The detail repeats faults by the names that they have in a request.
    ...(faults.length > 0
      ? [`popindex: This is wrong (${codes}):`]
      : [[`popindex: ${title} (${codes}).`, detail].filter(Boolean).join(' ')]),
    ...faults,
    ...(status >= 500 && request !== undefined ? [`Request ${request}`] : []),
  ];
  return lines.map((line) => printable(inTypedNames(line, names))).join('\n');
}
