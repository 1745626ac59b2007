import { randomUUID } from 'node:crypto';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import { ACCOUNT_LANES } from '#event-log/event-log.js';
import { storedProjections } from '#event-log/projection-state.js';
import { DOCUMENT_NUMBER } from '#projections/events/number-events.js';
import { allProjections, PROJECTION_NAMES } from '#projections/projections/projections.js';
import { verifyInvoice } from '#projections/verify/verify-invoice.js';
import { verifyLog } from '#projections/lane-threads/verify-log.js';
import { endedView } from '#rest/system/log-tools-view.js';
import { KeptVerifications } from '#rest/system/kept-verifications.js';
import type { Foundations } from '#service/foundations.js';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';
import { tableText } from './admin/render.js';
import { ProgressBar } from './progress-bar.js';
import { threadsFor, withPatience } from './log-tool-work.js';
import { printResult } from './print-result.js';
import { webhookSecret } from './webhook-secret.js';
import { NO_LOG } from './migrate-command.js';
import type { WithFoundations, WithLog } from './release-commands.js';
import { rebuildDamaged, rebuildNamed } from './rebuild-projections.js';
import { ruleReport } from './rule-report.js';
import { verifyReport } from './verify-report.js';
import { verifyReceipts } from './verify-receipts.js';
import { verifyStatement } from './verify-statement.js';

interface Flags {
  readonly json?: boolean;
  readonly lane?: number;
}

interface RebuildFlags extends Flags {
  readonly damaged?: boolean;
}

interface VerifyFlags extends Flags {
  readonly invoice?: string;
  readonly statement?: string;
  readonly receipts?: readonly string[];
  readonly keys?: string;
  readonly calls?: readonly string[];
  readonly events?: readonly string[];
}

const VERIFY_HELP = `
Examples:
  popindex verify
  popindex verify --invoice INV-000123
  popindex verify --statement 2026-10.json --calls calls.csv
  popindex verify --receipts receipts.txt`;

function laneNumber(text: string): number {
  const lane = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (lane <= ACCOUNT_LANES) return lane;
  throw new InvalidArgumentError(`A lane is a number from 0 to ${ACCOUNT_LANES}.`);
}

function documentNumber(text: string): string {
  if (DOCUMENT_NUMBER.test(text)) return text;
  throw new InvalidArgumentError('It takes a number such as INV-000001.');
}

async function verify(
  pool: pg.Pool,
  foundations: Foundations,
  { json = false, lane }: Flags,
): Promise<number> {
  const { calendar, configuration } = foundations;
  const bar = new ProgressBar();
  const startedAt = Date.now();
  try {
    const report = await verifyLog(
      pool,
      allProjections(calendar),
      { calendar },
      {
        ...(lane !== undefined && { lanes: [lane] }),
        threads: threadsFor(foundations.databaseUrl),
        webhookSecret: webhookSecret(configuration),
        onProgress: ({ events, eventsTotal }) =>
          bar.show({
            stage: 'checking events and projections',
            // The log may grow meanwhile.
            done: Math.min(events, eventsTotal),
            total: eventsTotal,
          }),
      },
    );
    bar.stop();
    printResult(json, report, verifyReport(report));
    // One lane says nothing of the others.
    if (lane === undefined) {
      const ended = endedView(report, startedAt, Date.now());
      await new KeptVerifications(pool).save(randomUUID(), ended);
    }
    return report.intact ? 0 : 1;
  } finally {
    bar.stop();
  }
}

/** A database that nothing was written to has no damage. */
function nothingToVerify(json: boolean): number {
  const report = { lanes: 0, events: 0, seconds: 0, checks: [], notCovered: [NO_LOG] };
  printResult(json, { intact: true, ...report }, `Nothing to verify: ${NO_LOG}.`);
  return 0;
}

async function verifyIssued(
  pool: pg.Pool,
  { calendar }: Foundations,
  number: string,
  json: boolean,
): Promise<number> {
  const report = await verifyInvoice(pool, number, calendar);
  if (report === undefined) throw new StartupError(`popindex: there is no document ${number}`);
  const { intact, rules } = report;
  const verdict = `${number} ${intact ? 'is what the log says.' : 'is NOT what the log says.'}`;
  printResult(json, report, ruleReport(rules, verdict));
  return intact ? 0 : 1;
}

async function list({ pool, calendar }: Foundations, json: boolean): Promise<number> {
  const all = await storedProjections(pool, allProjections(calendar));
  const rows = all.map(({ name, version, rowsVersion, behind }) => ({
    projection: name,
    version,
    rows_of_version: rowsVersion,
    events_behind: behind,
  }));
  const columns = ['projection', 'version', 'rows_of_version', 'events_behind'];
  printResult(json, all, tableText(columns, rows));
  return 0;
}

const NUMBER_TEXT = 'an invoice or credit note, INV-000123';

/** Each asks for something of its own. */
function otherThan(option: Option, ...names: readonly string[]): Option {
  return option.conflicts([...names]);
}

/** Options that say more of another one go with it. */
function refuseLoneOptions(command: Command): void {
  const { receipts, keys, statement, calls, events } = command.opts<VerifyFlags>();
  if (receipts === undefined && keys !== undefined) {
    command.error('error: --keys goes with --receipts');
  }
  if (statement === undefined && (calls ?? events)) {
    command.error('error: --calls and --events go with --statement');
  }
}

/** `popindex verify`: exit code 0 when everything belongs together, else 1. */
export function verifyCommand(withLog: WithLog): Command {
  const lane = new Option('--lane <number>', 'only one lane, 0 to 64').argParser(laneNumber);
  const invoice = new Option('--invoice <number>', `${NUMBER_TEXT}, against the log`).argParser(
    documentNumber,
  );
  const statement = new Option('--statement <file>', 'a statement (JSON), without any database');
  return new Command('verify')
    .description('verify the log and all that is derived from it')
    .addOption(otherThan(lane, 'invoice', 'statement', 'receipts'))
    .addOption(otherThan(invoice, 'statement', 'receipts'))
    .addOption(otherThan(statement, 'receipts'))
    .option('--receipts <files...>', 'receipts, one a line, without any database')
    .option(
      '--keys <file>',
      'with --receipts: the keys; unless given, jwks.json beside the receipts or at BASE_URL',
    )
    .option('--calls <files...>', 'with --statement: its exported calls, CSV or .json')
    .option('--events <files...>', 'with --statement: its exported events, .json')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', VERIFY_HELP)
    .hook('preAction', refuseLoneOptions)
    .action((flags: VerifyFlags) => {
      const { json = false, invoice: number, statement: file, calls, events } = flags;
      const { receipts, keys } = flags;
      if (file !== undefined) {
        const files = { statement: file, ...(calls && { calls }), ...(events && { events }) };
        return runCommand('popindex', () => verifyStatement(files, json));
      }
      if (receipts !== undefined) {
        return runCommand('popindex', () => verifyReceipts({ receipts, keys }, json));
      }
      const whenNone = number === undefined ? () => nothingToVerify(json) : undefined;
      return withLog(
        (foundations) =>
          withPatience(foundations.databaseUrl, (pool) =>
            number === undefined
              ? verify(pool, foundations, flags)
              : verifyIssued(pool, foundations, number, json),
          ),
        whenNone,
      );
    });
}

/** `popindex projections rebuild` and `popindex projections list`. */
export function projectionCommands(withFoundations: WithFoundations, withLog: WithLog): Command {
  const projections = new Command('projections').description(
    'tables that are derived from the log',
  );
  projections
    .command('rebuild')
    .description(
      'rebuild projections from the log, which they read together, beside the tables that serve',
    )
    .addArgument(new Argument('[names...]', 'projections').choices(PROJECTION_NAMES))
    .option('--damaged', 'every projection with damaged accounts, once these are repaired')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex projections rebuild ledger windows')
    .hook('preAction', (command) => {
      const { damaged = false } = command.opts<RebuildFlags>();
      if ((command.args.length === 0) !== damaged) {
        command.error('error: a name or --damaged is needed');
      }
    })
    .action((names: readonly string[], { damaged = false, json = false }: RebuildFlags) =>
      withFoundations((foundations) =>
        withPatience(foundations.databaseUrl, (pool) =>
          damaged
            ? rebuildDamaged(pool, foundations, json)
            : rebuildNamed(pool, foundations, names, json),
        ),
      ),
    );
  projections
    .command('list')
    .description('every projection, its versions and how far it is behind the log')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  popindex projections list')
    .action(({ json = false }: Flags) => withLog((foundations) => list(foundations, json)));
  return projections;
}
