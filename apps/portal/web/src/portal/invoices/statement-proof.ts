import { parse } from 'csv-parse/browser/esm/sync';
import {
  checkEvidence,
  type ExportedCall,
  type ExportedEvent,
  type StatementRule,
} from '#invoice-rules/check-statement.js';
import type { Statement } from '#invoice-rules/statement.js';
import { headAfter, sha256 } from './event-heads.js';

/** A file as it was dropped. */
export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Proof {
  readonly month: string;
  readonly rules: readonly StatementRule[];
  readonly digests: readonly { readonly name: string; readonly sha256: string }[];
}

/** Files that hold no statement, or something that is neither calls nor events. */
export class WrongFilesError extends Error {
  override readonly name = 'WrongFilesError';
}

type RecognizedFile =
  | { readonly kind: 'statement'; readonly statement: Statement & { readonly final: boolean } }
  | { readonly kind: 'calls'; readonly calls: readonly ExportedCall[] }
  | { readonly kind: 'events'; readonly events: readonly ExportedEvent[] };

/** Holds a statement against exported calls or events, in this browser. Throws WrongFilesError. */
export async function prove(files: readonly DroppedFile[]): Promise<Proof> {
  const found = files.map(({ name, bytes }) => read(name, new TextDecoder().decode(bytes)));
  const statement = found.find((one) => one.kind === 'statement')?.statement;
  if (statement === undefined) {
    throw new WrongFilesError('None of the files is a statement: it is the JSON above.');
  }
  const calls = found.filter((one) => one.kind === 'calls');
  const events = found.filter((one) => one.kind === 'events');
  const evidence = {
    calls: calls.length > 0 ? calls.flatMap((one) => one.calls) : undefined,
    events: events.length > 0 ? events.flatMap((one) => one.events) : undefined,
  };
  const days = { dayAt: dayIn(statement.time_zone) };
  const rules = await checkEvidence(statement, evidence, days, (head, event) =>
    headAfter(head, statement.account_id, event),
  );
  const digests = files.map(async ({ name, bytes }) => ({ name, sha256: await sha256(bytes) }));
  return { month: statement.month, rules, digests: await Promise.all(digests) };
}

function read(name: string, text: string): RecognizedFile {
  if (!/^\s*[[{]/.test(text)) return { kind: 'calls', calls: callsOf(text, name) };
  const value = jsonOf(text, name) as { type?: unknown; items?: readonly object[] };
  if (value.type === 'statement') return { kind: 'statement', statement: value as never };
  const { items = Array.isArray(value) ? (value as readonly object[]) : undefined } = value;
  const [first] = items ?? [];
  if (items !== undefined && first !== undefined && 'account_version' in first) {
    return { kind: 'events', events: items as readonly ExportedEvent[] };
  }
  if (items !== undefined) return { kind: 'calls', calls: items as readonly ExportedCall[] };
  throw new WrongFilesError(`${name} is neither a statement nor a list of calls or events.`);
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongFilesError(`${name} is no JSON.`);
  }
}

function callsOf(text: string, name: string): readonly ExportedCall[] {
  const rows = parse(text, { columns: true, bom: true }) as readonly Record<string, string>[];
  return rows.map(({ call_id: id, at, credits_used: used, balance_after: after }) => {
    if (id === undefined || at === undefined || used === undefined || after === undefined) {
      throw new WrongFilesError(`${name} is no list of calls as it is downloaded here.`);
    }
    return { call_id: id, at, credits_used: Number(used), balance_after: Number(after) };
  });
}

/** Days of a zone; making a format costs a hundred times what using it does. */
function dayIn(timeZone: string): (at: number) => { readonly label: string } {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone });
  return (at) => ({ label: format.format(at) });
}
