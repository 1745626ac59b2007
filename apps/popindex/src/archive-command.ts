import { Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import {
  archiveCalls,
  ArchiveRefusedError,
  bringBackCalls,
  type ArchiveParts,
} from '#backup/archives/archive-calls.js';
import { DamageError } from '#backup/backup-fault.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { ARCHIVES, type Archive } from '#event-log/archive-events.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { storedProjections } from '#event-log/projection-state.js';
import { BrokenChain } from '#event-log/verify-lane.js';
import { archivableVersions } from '#ledger/archives/archivable-calls.js';
import { closedThrough, PERIODS } from '#ledger/events/period-events.js';
import { allProjections } from '#ledger/projections/projections.js';
import type { Foundations } from '#service/foundations.js';
import { StartupError } from '#web/startup-error.js';
import { tableText } from './admin/render.js';
import { withPatience } from './log-tool-work.js';
import { printResult } from './print-result.js';
import { ProgressBar } from './progress-bar.js';

/** Runs a command on the service's database and ends the process with its exit code. */
type WithBoth = (
  work: (foundations: Foundations, database: DatabaseUrls) => Promise<number>,
) => Promise<void>;

interface Flags {
  readonly before?: string;
  readonly bringBack?: number | 'all';
  readonly list?: boolean;
  readonly lane?: number;
  readonly json?: boolean;
}

const NUMBERS = new Intl.NumberFormat('en');
const HELP = `
The months before have to be closed (popindex period close). Files are written to ARCHIVE_DIR, read
back and named in the log; then the data of these calls leaves the database. Their ids stay.

Examples:
  popindex archive --before 2026-06
  popindex archive --list
  popindex archive --bring-back 1`;

function month(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('A month is written like 2026-06.');
}

function numberOrAll(text: string): number | 'all' {
  if (text === 'all' || /^[1-9]\d{0,8}$/.test(text)) return text === 'all' ? 'all' : Number(text);
  throw new InvalidArgumentError('An archive is a number from 1 on, or all.');
}

function laneNumber(text: string): number {
  if (LANES_OF_ACCOUNTS.includes(Number(text))) return Number(text);
  throw new InvalidArgumentError('A lane of accounts is a number from 1 to 64.');
}

/** A fault that an operator can put right is one line, not a crash. */
async function explained(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = Object(error) as NodeJS.ErrnoException;
    const isOfDisk = syscall !== undefined && /^E[A-Z]+$/.test(code ?? '');
    const isKnown =
      isOfDisk ||
      error instanceof ArchiveRefusedError ||
      error instanceof BrokenChain ||
      error instanceof DamageError;
    if (!isKnown) throw error;
    const where = isOfDisk ? 'ARCHIVE_DIR: ' : '';
    throw new StartupError(`popindex: ${where}${(error as Error).message}`, { cause: error });
  }
}

async function archive(
  pool: pg.Pool,
  { calendar, system }: Foundations,
  parts: ArchiveParts,
  { before = '', lane, json = false }: Flags,
): Promise<number> {
  const closed = closedThrough(await system.read(PERIODS));
  const last = calendar.monthAt((calendar.monthOf(before)?.startsAt ?? 0) - 1).label;
  if (closed === null || closed < last) {
    throw new StartupError(`popindex: ${last} is not closed: popindex period close ${last}`);
  }
  const stored = await storedProjections(pool, allProjections(calendar));
  const other = stored.find(({ version, rowsVersion }) => version !== rowsVersion);
  if (other !== undefined) {
    throw new StartupError(`popindex: projection ${other.name} is of another version; rebuild it`);
  }
  const bar = new ProgressBar();
  try {
    const lanes = [];
    for (const one of lane === undefined ? LANES_OF_ACCOUNTS : [lane]) {
      const versions = await archivableVersions(pool, one, before);
      if (versions.size > 0) lanes.push({ lane: one, versions });
    }
    const ends = await parts.log.ends(lanes.map((one) => one.lane));
    const total = ends.reduce((sum, { position }) => sum + position, 0);
    let done = 0;
    const onEvents = (count: number): void =>
      bar.show({ stage: 'archiving', done: (done += count), total });
    const made = await archiveCalls(parts, before, lanes, onEvents);
    bar.stop();
    printResult(json, made, textOf(made, before, parts.folder));
    return 0;
  } finally {
    bar.stop();
  }
}

function textOf(made: Archive | null, before: string, folder: string): string {
  if (made === null) return `No call before ${before} is left to archive.`;
  const { archive: number, calls, files } = made;
  return (
    `${NUMBERS.format(calls)} calls before ${before} are in archive ${number}: ${files.length} files ` +
    `in ${folder}. Keep them as you keep backups: no backup holds what is in them.`
  );
}

async function putBack(parts: ArchiveParts, wanted: number | 'all', json: boolean) {
  const standing = await standingArchives(parts.pool);
  const chosen = standing.filter((one) => wanted === 'all' || one.archive === wanted);
  if (chosen.length === 0 && wanted !== 'all') {
    throw new StartupError(`popindex: archive ${wanted} is not there, or was brought back`);
  }
  await bringBackCalls(parts, chosen);
  const calls = chosen.reduce((sum, one) => sum + one.calls, 0);
  printResult(json, chosen, `${NUMBERS.format(calls)} calls are in the log again.`);
  return 0;
}

async function list({ system }: Foundations, json: boolean): Promise<number> {
  const all = await system.read(ARCHIVES);
  const rows = all.map(({ archive: number, before, calls, files, isBack }) => ({
    archive: number,
    before,
    calls,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    is_back: isBack,
  }));
  const columns = ['archive', 'before', 'calls', 'files', 'bytes', 'is_back'];
  printResult(json, all, tableText(columns, rows));
  return 0;
}

/** `popindex archive`: exit code 0 when it is done, 1 when it was refused. */
export function archiveCommand(withFoundations: WithBoth): Command {
  const before = new Option('--before <month>', 'archive the calls of the months before it');
  const back = new Option('--bring-back <number>', 'put the calls of an archive back, or of all');
  const lane = new Option('--lane <number>', 'with --before: one lane, 1 to 64');
  return new Command('archive')
    .description('move the data of old calls out of the database into files')
    .addOption(before.argParser(month).conflicts(['bringBack', 'list']))
    .addOption(back.argParser(numberOrAll).conflicts(['list', 'lane']))
    .addOption(lane.argParser(laneNumber).conflicts(['list']))
    .option('--list', 'every archive')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', HELP)
    .hook('preAction', (command) => {
      const { before: asked, bringBack: wanted, list: isList } = command.opts<Flags>();
      if ([asked, wanted, isList].every((option) => option === undefined)) {
        command.error('error: --before, --bring-back or --list is needed');
      }
    })
    .action((flags: Flags) => {
      const { bringBack: wanted, list: isList = false, json = false } = flags;
      return withFoundations((foundations, { url, migrationUrl }) =>
        explained(() =>
          withPatience(migrationUrl ?? url, (pool) => {
            const { eventLog: log, system, clock, configuration } = foundations;
            const folder = configuration.archiveDir;
            const parts = { pool, log, system, folder, now: () => clock.now() };
            if (isList) return list(foundations, json);
            if (wanted !== undefined) return putBack(parts, wanted, json);
            return archive(pool, foundations, parts, flags);
          }),
        ),
      );
    });
}
