import { createInterface } from 'node:readline/promises';
import { Argument, Command } from 'commander';
import type { Connection } from '#client/connection.js';
import { ProblemError } from '#client/problem-error.js';
import { moneyText } from '#invoice-rules/money.js';
import {
  BOOKED_MAX,
  type BankProposals,
  type BookedBankEntries,
} from '#rest/bank-statements/bank-statement.schemas.js';
import { runCommand } from '#web/run-main.js';
import type { SentFile } from './admin-command.js';
import { askAdmin } from './ask-admin.js';
import { sentFile } from './read-values.js';
import { refusalText, tableText, thingText } from './render.js';

interface Flags {
  readonly book?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Entry = BankProposals['entries'][number];

const WRONG_USAGE = 2;
const COLUMNS = ['place', 'date', 'amount', 'payer', 'outcome', 'account', 'invoices', 'reason'];

/** A file of a bank: XML is camt.053, all else CSV. */
function bankFile(name: string): SentFile {
  return sentFile(name, /\.(?:xml|camt|053)$/i, 'application/xml');
}

/** Statements, entries and sums of a file, for a person. Pure. */
export function proposalsText({ statements, entries, totals }: BankProposals): string {
  const checks = statements.map(({ account, booked, currency, adds_up: addsUp }) => {
    const check = { true: 'balances agree', false: 'BALANCES DO NOT AGREE', null: 'no balances' };
    const entriesText = `entries of ${moneyText(booked, currency)}`;
    return `${account ?? 'Account'}: ${entriesText}, ${check[`${addsUp}`]}`;
  });
  const sums = totals.flatMap(({ currency, read, outcomes }) => [
    ...outcomes.map(({ outcome, entries: count, amount }) => {
      return { outcome, entries: count, amount: moneyText(amount, currency) };
    }),
    { outcome: 'read', entries: null, amount: moneyText(read, currency) },
  ]);
  const table = tableText(COLUMNS, entries.map(rowOf));
  return [...checks, '', table, thingText({ sums })].join('\n');
}

function rowOf(entry: Entry) {
  const { place, booking_date, amount, currency, name, apply, candidates, credit_balance } = entry;
  const invoices = (apply.length > 0 ? apply : candidates).map(({ number }) => number);
  return {
    place,
    date: booking_date,
    amount: moneyText(amount, currency),
    payer: name,
    outcome: entry.outcome,
    account: entry.account_name ?? entry.account_id,
    invoices: [...invoices, ...(credit_balance > 0 ? ['credit balance'] : [])],
    reason: entry.reason,
  };
}

async function propose(admin: Connection, { bytes, type }: SentFile): Promise<BankProposals> {
  const headers = { 'Content-Type': type };
  const path = '/bank-statements/proposals';
  return admin.json<BankProposals>({ method: 'POST', path, body: bytes, headers });
}

/** Books what is proposed, some entries at a time; each of them once, also when it is run again. */
async function book(admin: Connection, entries: readonly Entry[]): Promise<BookedBankEntries[]> {
  const asked = entries.map(({ id, account_id, amount, currency, date, bank_reference, apply }) => {
    return { id, account_id, amount, currency, date, reference: bank_reference, apply };
  });
  const booked: BookedBankEntries[] = [];
  for (let from = 0; from < asked.length; from += BOOKED_MAX) {
    const body = { entries: asked.slice(from, from + BOOKED_MAX) };
    const path = '/bank-statements/payments';
    booked.push(await admin.json<BookedBankEntries>({ method: 'POST', path, body }));
  }
  return booked;
}

async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function amountsOf(entries: readonly { readonly amount: number; readonly currency: string }[]) {
  const currencies = [...new Set(entries.map(({ currency }) => currency))];
  return currencies
    .map((code) => {
      const own = entries.filter(({ currency }) => currency === code);
      return moneyText(
        own.reduce((sum, { amount }) => sum + amount, 0),
        code,
      );
    })
    .join(' and ');
}

async function importFile(file: SentFile, { book: asks, yes, json }: Flags): Promise<number> {
  if (asks === true && yes !== true && !process.stdin.isTTY) {
    process.stderr.write('popindex: without a terminal --book takes --yes.\n');
    return WRONG_USAGE;
  }
  const proposals = await askAdmin((admin) => propose(admin, file));
  const proposed = proposals.entries.filter(({ outcome }) => outcome === 'proposed');
  if (json !== true) process.stdout.write(`${proposalsText(proposals)}\n`);
  if (asks !== true || proposed.length === 0) {
    if (json === true) process.stdout.write(`${JSON.stringify(proposals, null, 2)}\n`);
    return 0;
  }
  const question = `Book ${proposed.length} payments of ${amountsOf(proposed)}?`;
  if (yes !== true && !(await isConfirmed(question))) {
    process.stderr.write('Nothing was booked.\n');
    return 1;
  }
  const booked = await askAdmin((admin) => book(admin, proposed));
  return report(booked, proposed, json === true);
}

/** 1 where an entry is refused. */
function report(
  booked: readonly BookedBankEntries[],
  proposed: readonly Entry[],
  json: boolean,
): number {
  const entries = booked.flatMap((part) => part.entries);
  const places = new Map(proposed.map(({ id, place }) => [id, place]));
  const refused = entries.filter(({ outcome }) => outcome === 'refused');
  const made = entries.filter(({ outcome }) => outcome === 'booked');
  if (json) process.stdout.write(`${JSON.stringify({ entries }, null, 2)}\n`);
  else {
    const before = entries.length - made.length - refused.length;
    const sum = made.length === 0 ? '' : ` of ${amountsOf(made)}`;
    const counts = `${made.length} payments booked${sum}, ${before} before, ${refused.length} refused.`;
    process.stdout.write(`${counts}\n`);
  }
  for (const { id, detail } of refused) {
    process.stderr.write(`  ${places.get(id) ?? id}: ${detail ?? ''}\n`);
  }
  return refused.length === 0 ? 0 : 1;
}

/** `popindex payment …`: payments by the statements of a bank. */
export function paymentCommands(): Command {
  const file = new Argument('<file>', 'the statement: .xml as camt.053, others as CSV');
  const importing = new Command('import')
    .description('match a statement of a bank with open invoices, and book the payments')
    .addArgument(file.argParser(bankFile))
    .option('--book', 'book what is proposed, after a question')
    .option('--yes', 'book it without the question')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  popindex payment import statement.xml --book')
    .action((sent: SentFile, flags: Flags) =>
      runCommand('popindex', async () => {
        try {
          return await importFile(sent, flags);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          process.stderr.write(`${refusalText(error.status, error.body)}\n`);
          return 1;
        }
      }),
    );
  return new Command('payment')
    .description('payments by the statements of a bank')
    .addCommand(importing);
}
