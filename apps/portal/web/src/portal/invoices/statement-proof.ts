import { parse } from 'csv-parse/browser/esm/sync';
import {
  checkArithmetic,
  checkHead,
  checkStatement,
  type ExportedCall,
} from '#billing/check-statement.js';
import type { Statement } from '#billing/statement.js';
import { headAfter, sha256, type ExportedEvent } from './event-heads.js';

/** A rule that a statement keeps where there are no differences. */
export interface CheckedRule {
  readonly rule: string;
  readonly differences: readonly string[];
}

/** A file as it was dropped. */
export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Proof {
  readonly month: string;
  readonly rules: readonly CheckedRule[];
  readonly digests: readonly { readonly name: string; readonly sha256: string }[];
}

/** Files that hold no statement, or something that is neither calls nor events. */
export class WrongFilesError extends Error {
  override readonly name = 'WrongFilesError';
}

type Found =
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
  const rules: CheckedRule[] = [
    { rule: 'Its entries add up to its closing balance', differences: checkArithmetic(statement) },
  ];
  for (const one of found) {
    if (one.kind === 'calls') {
      const days = { dayAt: dayIn(statement.time_zone) };
      const differences = checkStatement(statement, inOrder(one.calls), days);
      rules.push({ rule: 'Its days and its balance are those of the calls', differences });
    }
    if (one.kind === 'events') {
      const differences = await checkEvents(statement, one.events);
      rules.push({ rule: 'The events lead from head to head (SHA-256)', differences });
    }
  }
  const digests = files.map(async ({ name, bytes }) => ({ name, sha256: await sha256(bytes) }));
  return { month: statement.month, rules, digests: await Promise.all(digests) };
}

function read(name: string, text: string): Found {
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

function inOrder(calls: readonly ExportedCall[]): readonly ExportedCall[] {
  const isDescending = Date.parse(calls[0]?.at ?? '') > Date.parse(calls.at(-1)?.at ?? '');
  return isDescending ? calls.toReversed() : calls;
}

/** Days of a zone; making a format costs a hundred times what using it does. */
function dayIn(timeZone: string): (at: number) => { readonly label: string } {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone });
  return (at) => ({ label: format.format(at) });
}

async function checkEvents(
  statement: Statement & { readonly final: boolean },
  events: readonly ExportedEvent[],
): Promise<readonly string[]> {
  if (!statement.final) return ['It has no head yet: its month is not closed.'];
  const { from, to } = statement.account_version;
  const own = events.filter(({ account_version: one }) => one >= from && one <= to);
  const heads: string[] = [];
  for (const event of own) {
    heads.push(
      await headAfter(heads.at(-1) ?? statement.opening_head, statement.account_id, event),
    );
  }
  const chained = own.map(({ account_version: accountVersion }, index) => ({
    accountVersion,
    head: heads[index] ?? '',
  }));
  return checkHead(statement, chained, (_before, { head }) => head);
}
