import { z } from 'zod';
import { checkEvidence, type ExportedEvent } from '#invoice-rules/check-statement.js';
import type { Statement } from '#invoice-rules/statement.js';
import { Calendar } from '#calendar/calendar.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { Statement as StatementAnswer } from '#rest/statements/statement.schemas.js';
import { StartupError } from '#web/startup-error.js';
import { checked, readJsonFile, readRecords } from './exported-records.js';
import { printResult } from './print-result.js';
import { ruleReport } from './rule-report.js';

export interface StatementFiles {
  readonly statement: string;
  readonly calls?: readonly string[];
  readonly events?: readonly string[];
}

const exportedCall = z.object({
  call_id: z.string(),
  at: z.iso.datetime(),
  credits_used: z.int(),
  balance_after: z.int(),
});

const exportedEvent = z.object({
  account_version: z.int(),
  call_id: z.string().nullable(),
  type: z.string(),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

function callOfRow({ call_id, at, credits_used, balance_after }: Readonly<Record<string, string>>) {
  return { call_id, at, credits_used: Number(credits_used), balance_after: Number(balance_after) };
}

function calendarOf({ time_zone: zone }: Statement, name: string): Calendar {
  try {
    return new Calendar(zone);
  } catch {
    throw new StartupError(`popindex: ${name}: "${zone}" is no time zone.`);
  }
}

async function readCalls(names: readonly string[]) {
  const files = await Promise.all(names.map((name) => readRecords(name, exportedCall, callOfRow)));
  return files.flat();
}

async function readEvents(names: readonly string[]): Promise<ExportedEvent[]> {
  const asTheyAre = (texts: Readonly<Record<string, string>>) => texts;
  const files = await Promise.all(names.map((name) => readRecords(name, exportedEvent, asTheyAre)));
  return files.flat();
}

/**
 * `popindex verify --statement`: holds a statement against what its customer has exported, without
 * a database. Throws StartupError for files that are something else.
 */
export async function verifyStatement(files: StatementFiles, json: boolean): Promise<number> {
  const value = await readJsonFile(files.statement);
  const { account_head = '', ...rest } = checked(StatementAnswer, value, files.statement);
  const statement = { ...rest, account_head };
  const calendar = calendarOf(statement, files.statement);
  const evidence = {
    calls: files.calls && (await readCalls(files.calls)),
    events: files.events && (await readEvents(files.events)),
  };
  const rules = await checkEvidence(statement, evidence, calendar, (head, event) =>
    hashEvent(head, {
      accountId: statement.account_id,
      accountVersion: event.account_version,
      callId: event.call_id,
      type: event.type,
      at: Date.parse(event.at),
      data: JSON.stringify(event.data),
    }),
  );
  const intact = rules.every(({ differences }) => differences.length === 0);
  const verdict = intact ? 'The statement holds.' : 'The statement does NOT hold.';
  const hint =
    files.calls === undefined ? ' The calls were not looked at: give them as --calls FILE.' : '';
  const text = ruleReport(rules, verdict + hint);
  printResult(json, { intact, rules }, text);
  return intact ? 0 : 1;
}
