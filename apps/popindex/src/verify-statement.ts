import { z } from 'zod';
import { checkArithmetic, checkHead, checkStatement } from '#billing/check-statement.js';
import type { Statement } from '#billing/statement.js';
import { Calendar } from '#calendar/calendar.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { Statement as StatementAnswer } from '#rest/statements/statement.schemas.js';
import { StartupError } from '#web/startup-error.js';
import { checked, readJsonFile, readRecords } from './exported-records.js';
import { printResult } from './print-result.js';
import { ruleReport, type Rule } from './rule-report.js';

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

/** Oldest first, in whichever order they were exported. */
async function readCalls(names: readonly string[]) {
  const files = await Promise.all(names.map((name) => readRecords(name, exportedCall, callOfRow)));
  const calls = files.flat();
  const isDescending = Date.parse(calls[0]?.at ?? '') > Date.parse(calls.at(-1)?.at ?? '');
  return isDescending ? calls.toReversed() : calls;
}

async function readEvents(names: readonly string[], accountId: string, { from, to }: Range) {
  const asTheyAre = (texts: Readonly<Record<string, string>>) => texts;
  const files = await Promise.all(names.map((name) => readRecords(name, exportedEvent, asTheyAre)));
  return files
    .flat()
    .filter(({ account_version: version }) => version >= from && version <= to)
    .map(({ account_version: accountVersion, call_id: callId, type, at, data }) => {
      const text = JSON.stringify(data);
      return { accountId, accountVersion, callId, type, at: Date.parse(at), data: text };
    });
}

type Range = Statement['account_version'];

async function rulesOf(
  statement: Statement & { readonly final: boolean },
  { statement: name, calls, events }: StatementFiles,
): Promise<Rule[]> {
  const calendar = calendarOf(statement, name);
  const { account_id: accountId, account_version: versions } = statement;
  const rules: Rule[] = [
    { rule: 'its entries add up to its closing balance', differences: checkArithmetic(statement) },
  ];
  if (calls !== undefined) {
    rules.push({
      rule: 'its days and its balance are those of the calls',
      differences: checkStatement(statement, await readCalls(calls), calendar),
    });
  }
  if (events === undefined) return rules;
  const found = await readEvents(events, accountId, versions);
  const differences = statement.final
    ? checkHead(statement, found, hashEvent)
    : ['It has no head yet: its month is not closed.'];
  return [...rules, { rule: "the account's events lead from head to head", differences }];
}

/**
 * `popindex verify --statement`: holds a statement against what its customer has exported, without
 * a database. Throws StartupError for files that are something else.
 */
export async function verifyStatement(files: StatementFiles, json: boolean): Promise<number> {
  const value = await readJsonFile(files.statement);
  const { account_head = '', ...rest } = checked(StatementAnswer, value, files.statement);
  const rules = await rulesOf({ ...rest, account_head }, files);
  const intact = rules.every(({ differences }) => differences.length === 0);
  const verdict = intact ? 'The statement holds.' : 'The statement does NOT hold.';
  const hint =
    files.calls === undefined ? ' The calls were not looked at: give them as --calls FILE.' : '';
  const text = ruleReport(rules, verdict + hint);
  printResult(json, { intact, rules }, text);
  return intact ? 0 : 1;
}
