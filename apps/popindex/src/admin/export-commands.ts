import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '#client/problem-error.js';
import { runCommand } from '#web/run-main.js';
import { callerPath } from './caller-path.js';
import { askAdmin } from './ask-admin.js';
import { refusalText, type TypedNames } from './render.js';
import { saveExport } from './save-export.js';

interface Flags {
  readonly month?: string;
  readonly issuedMonth?: string;
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: string;
  readonly test?: boolean;
  readonly account?: readonly (readonly [name: string, code: string])[];
  readonly output?: string;
}

const STDOUT = '-';

function pairs(text: string, before: readonly (readonly [string, string])[] = []) {
  const equals = text.indexOf('=');
  if (equals < 1)
    throw new InvalidArgumentError('It takes a name and a code, as receivables=1400.');
  const pair = [text.slice(0, equals).replaceAll('-', '_'), text.slice(equals + 1)] as const;
  return [...before, pair];
}

/** Below `/admin/v1`. Pure. */
export function exportPath(
  what: 'invoices' | 'credit-liability' | 'revenue-schedule' | 'open-items',
  flags: Flags,
): string {
  const { month, issuedMonth, date, from, to, format, test = false, account = [] } = flags;
  const query = new URLSearchParams();
  if (month !== undefined) query.set('month', month);
  if (issuedMonth !== undefined) query.set('issued_month', issuedMonth);
  if (date !== undefined) query.set('date', date);
  if (from !== undefined) query.set('from', from);
  if (to !== undefined) query.set('to', to);
  if (what === 'invoices') query.set('format', format);
  if (test) query.set('test', 'true');
  for (const [name, code] of account) query.append(name, code);
  return `/exports/${what}?${query.toString()}`;
}

/** The name that the service gives the file. */
function nameOf(response: Response): string {
  const [, name = 'export'] =
    /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return name;
}

/** Options by the names of their parameters. */
function typedNames({ options }: Command): TypedNames {
  return Object.fromEntries(
    options.map(({ long }) => [(long ?? '').slice(2).replaceAll('-', '_'), long ?? '']),
  );
}

async function download(route: string, accept: string, command: Command): Promise<number> {
  const { output } = command.opts<Flags>();
  let response: Response;
  try {
    response = await askAdmin((admin) => admin.stream({ path: route, accept }));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    process.stderr.write(`${refusalText(error.status, error.body, typedNames(command))}\n`);
    return 1;
  }
  if (output === STDOUT) {
    await pipeline(Readable.fromWeb(response.body as never), process.stdout, { end: false });
    return 0;
  }
  const file = callerPath(output ?? nameOf(response));
  await saveExport(response.body, file);
  process.stderr.write(`${file}\n`);
  return 0;
}

function common(command: Command): Command {
  return command
    .option('--test', 'include test accounts')
    .option(
      '--output <file>',
      'file to write; - for standard output; unless given, it is named by its month',
    );
}

function invoices(): Command {
  const format = new Option('--format <format>', 'format of the file');
  const account = new Option(
    '--account <name=code>',
    'of a journal or datev: your code of an account, as receivables=1400; may be repeated',
  );
  const issued = new Option(
    '--issued-month <month>',
    'the month in which they were issued and paid, 2026-11; not of focus',
  );
  return common(
    new Command('invoices')
      .description('invoices, credit notes and payments of a month')
      .option('--month <month>', 'the month of supply, 2026-10; of a journal or datev, of posting')
      .addOption(issued.conflicts('month'))
      .addOption(
        format.choices(['csv', 'jsonl', 'zip', 'journal', 'datev', 'focus']).default('csv'),
      )
      .addOption(account.argParser(pairs)),
  )
    .addHelpText('after', '\nExample:\n  popindex export invoices --month 2026-10 --format zip')
    .action((flags: Flags, command: Command) =>
      runCommand('popindex', () => download(exportPath('invoices', flags), '*/*', command)),
    );
}

function creditLiability(): Command {
  const format = new Option('--format <format>', 'format of the file');
  return common(
    new Command('credit-liability')
      .description('purchased credits that are not used yet, and their price, for each grant')
      .requiredOption('--month <month>', 'the month, 2026-10')
      .addOption(format.choices(['csv', 'json']).default('csv')),
  )
    .addHelpText('after', '\nExample:\n  popindex export credit-liability --month 2026-10')
    .action((flags: Flags, command: Command) => {
      const accept = flags.format === 'csv' ? 'text/csv' : 'application/json';
      const route = exportPath('credit-liability', flags);
      return runCommand('popindex', () => download(route, accept, command));
    });
}

function revenueSchedule(): Command {
  const format = new Option('--format <format>', 'format of the file');
  return common(
    new Command('revenue-schedule')
      .description(
        'revenue of purchased credits by month: deferred, recognised, expected to expire',
      )
      .requiredOption('--from <month>', 'the first month, 2026-10')
      .requiredOption('--to <month>', 'the last month, 2026-12')
      .addOption(format.choices(['csv', 'json']).default('csv')),
  )
    .addHelpText(
      'after',
      '\nExample:\n  popindex export revenue-schedule --from 2026-10 --to 2026-12',
    )
    .action((flags: Flags, command: Command) => {
      const accept = flags.format === 'csv' ? 'text/csv' : 'application/json';
      const route = exportPath('revenue-schedule', flags);
      return runCommand('popindex', () => download(route, accept, command));
    });
}

function openItems(): Command {
  const format = new Option('--format <format>', 'format of the file');
  return common(
    new Command('open-items')
      .description('what all customers owe on a day: invoices and credit balances')
      .option('--date <date>', 'the day, 2026-11-30; today unless given')
      .addOption(format.choices(['csv', 'json']).default('csv')),
  )
    .addHelpText('after', '\nExample:\n  popindex export open-items --date 2026-11-30')
    .action((flags: Flags, command: Command) => {
      const accept = flags.format === 'csv' ? 'text/csv' : 'application/json';
      const route = exportPath('open-items', flags);
      return runCommand('popindex', () => download(route, accept, command));
    });
}

/** `popindex export …`: files, as they come from the service. */
export function exportCommands(): Command {
  return new Command('export')
    .description('files for finance at the end of a month')
    .addCommand(invoices())
    .addCommand(creditLiability())
    .addCommand(revenueSchedule())
    .addCommand(openItems());
}
