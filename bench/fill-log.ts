// Fills the empty database at DATABASE_URL with the log of a plan, to try or measure things on it.
import { Command, InvalidArgumentError } from 'commander';
import { Calendar } from '#calendar/calendar.js';
import { migrate } from '#database/migrate.js';
import { positiveInteger } from './number-arguments.js';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { beginningBefore } from './fill/fill-plan.js';
import { fillLog } from './fill/filled-log.js';
import { filledAccountId, filledApiKey } from './fill/filled-account.js';

interface Flags {
  readonly events: number;
  readonly accounts: number;
  readonly keys: number;
  readonly from?: number;
  readonly to?: number;
  readonly zone: string;
}

function moment(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It takes a moment such as 2026-10-01T00:00:00Z.');
}

function zoneName(text: string): string {
  try {
    return new Calendar(text).zone;
  } catch {
    throw new InvalidArgumentError('It takes the name of an IANA time zone.');
  }
}

async function fill({ events, accounts, keys, zone, ...flags }: Flags): Promise<number> {
  const url = process.env.DATABASE_URL ?? '';
  if (url === '') throw new StartupError('DATABASE_URL: takes the database to fill.');
  const to = flags.to ?? Date.now();
  const from = flags.from ?? beginningBefore(zone, to);
  const plan = { accounts, calls: Math.ceil(events / accounts), keys, from, to, zone };
  const startedAt = performance.now();
  await migrate(url);
  let reportedAt = startedAt;
  const written = await fillLog(url, plan, (done) => {
    if (performance.now() - reportedAt < 1_000) return;
    reportedAt = performance.now();
    process.stderr.write(`${done} events\n`);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const result = {
    events: written,
    seconds: Math.round(seconds * 10) / 10,
    events_per_second: Math.round(written / seconds),
    first_account: { id: filledAccountId(0), api_key: filledApiKey(0) },
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  return 0;
}

const program = new Command('npm run fill-log --')
  .description('Fills the empty database at DATABASE_URL with a valid log and its projections.')
  .option('--events <n>', 'calls of all accounts together', positiveInteger, 20_000_000)
  .option('--accounts <n>', 'accounts that make them', positiveInteger, 10_000)
  .option('--keys <n>', 'resources that each calls in a window', positiveInteger, 100)
  .option('--from <moment>', 'when they begin; else with the window before the last', moment)
  .option('--to <moment>', 'when they end; now unless given', moment)
  .option('--zone <name>', 'billing time zone', zoneName, 'UTC')
  .action((flags: Flags) => runCommand('fill-log', () => fill(flags)));
await endWithUsageCode(program).parseAsync();
