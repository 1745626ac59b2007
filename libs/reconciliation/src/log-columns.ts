/** The texts of a row of a log; an absent one is empty. */
export interface RowTexts {
  readonly time: string;
  readonly url: string;
  readonly callId: string;
  readonly requestId: string;
  readonly credits: string;
  readonly status: string;
}

/** Names under which a log may hold each of them, in any case; `_`, `-` and spaces are the same. */
const NAMES: Readonly<Record<keyof RowTexts, readonly string[]>> = {
  time: ['time', 'at', 'timestamp'],
  url: ['url', 'path', 'key'],
  callId: ['call_id'],
  requestId: ['request_id'],
  credits: ['credits', 'credits_used'],
  status: ['status'],
};
const MEMBERS = Object.keys(NAMES) as (keyof RowTexts)[];
const REQUIRED: readonly (keyof RowTexts)[] = ['time', 'url'];

/** Which column of a table holds what; -1: none does. */
export type Columns = Readonly<Record<keyof RowTexts, number>>;

/** The columns of a header, or what it lacks. */
export function readHeader(fields: readonly string[]): Columns | string {
  const names = fields.map(plainName);
  const found = MEMBERS.map((member) => {
    return [member, names.findIndex((name) => NAMES[member].includes(name))] as const;
  });
  const columns = Object.fromEntries(found) as Record<keyof RowTexts, number>;
  const missing = REQUIRED.filter((member) => columns[member] < 0);
  if (missing.length === 0) return columns;
  const separator = fields.length === 1 ? /[;\t|]/.exec(fields[0] ?? '')?.[0] : undefined;
  if (separator !== undefined) {
    return `The separator is ${JSON.stringify(separator)}: separate columns by commas.`;
  }
  return `The header has no column ${missing.map((member) => `"${member}"`).join(' and no ')}.`;
}

/** The texts of a record. */
export function textsOf(columns: Columns, fields: readonly string[]): RowTexts {
  const text = (column: number): string => (column < 0 ? '' : (fields[column] ?? '').trim());
  return {
    time: text(columns.time),
    url: text(columns.url),
    callId: text(columns.callId),
    requestId: text(columns.requestId),
    credits: text(columns.credits),
    status: text(columns.status),
  };
}

/** The texts of an object, by the names of its members. */
export function textsIn(members: Readonly<Record<string, unknown>>): RowTexts {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText) texts[plainName(name)] = String(value).trim();
  }
  const text = (member: keyof RowTexts): string =>
    NAMES[member].map((name) => texts[name]).find((value) => value !== undefined) ?? '';
  return {
    time: text('time'),
    url: text('url'),
    callId: text('callId'),
    requestId: text('requestId'),
    credits: text('credits'),
    status: text('status'),
  };
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[- ]/g, '_');
}
