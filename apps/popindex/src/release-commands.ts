import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { weekOfLabel } from '#calendar/window-label.js';
import {
  importRelease,
  type ImportOutcome,
  type ImportProgress,
} from '#popularity/import-release.js';
import { RELEASE_WITHDRAWN, RELEASES, type ReleaseWithdrawn } from '#popularity/release-events.js';
import { decideWithdrawal } from '#popularity/withdraw-release.js';
import type { Foundations } from '#service/foundations.js';
import { StartupError } from '#web/startup-error.js';
import { callerPath } from './admin/caller-path.js';
import { tableText } from './admin/render.js';
import { ImportProgressBar } from './import-progress.js';
import { Interruption } from './interruption.js';
import { importReport, succeeded } from './import-report.js';
import { printResult } from './print-result.js';
import { releaseView } from '#rest/system/release-view.js';
import { outcomeView } from './outcome-view.js';
import { withFolder } from './with-folder.js';

/** Runs a command on the service's database and ends the process with its exit code. */
export type WithFoundations = (
  work: (foundations: Foundations) => Promise<number>,
) => Promise<void>;

/** The same for one that needs a log that is there. `whenNone`: its answer to an empty database. */
export type WithLog = (
  work: (foundations: Foundations) => Promise<number>,
  whenNone?: () => number,
) => Promise<void>;

interface ImportFlags {
  readonly window?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

async function importWithProgress(
  { pool, system, calendar, clock }: Foundations,
  folder: string,
  { window, dryRun = false }: ImportFlags,
): Promise<ImportOutcome> {
  const bar = new ImportProgressBar();
  const interruption = new Interruption();
  const onProgress = (progress: ImportProgress): void => {
    interruption.at(progress.stage);
    bar.show(progress);
  };
  const dependencies = { pool, stream: system, windows: calendar, clock };
  try {
    return await importRelease(dependencies, folder, {
      window: window ?? null,
      dryRun,
      onProgress,
    });
  } finally {
    interruption.stop();
    bar.stop();
  }
}

async function importInto(
  foundations: Foundations,
  folder: string,
  flags: ImportFlags,
): Promise<number> {
  const outcome = await importWithProgress(foundations, folder, flags);
  const { json = false } = flags;
  printResult(json, outcomeView(outcome), importReport(outcome));
  return succeeded(outcome) ? 0 : 1;
}

function windowLabel(text: string): string {
  if (weekOfLabel(text) !== undefined) return text;
  throw new InvalidArgumentError('It takes the label of a window, such as 2026w48.');
}

function list({ releases }: Foundations, json: boolean): number {
  const all = releases.published();
  const views = all.map((release) => releaseView(release, all));
  const columns = ['release', 'window', 'through', 'withdrawn_at'];
  printResult(json, views, tableText(columns, views));
  return 0;
}

async function withdraw(
  { system, calendar, clock }: Foundations,
  label: string,
  json: boolean,
): Promise<number> {
  let reason = 'the log does not hold what it took';
  // The event is found again by this id when the connection is lost in the commit.
  const callId = randomUUID();
  const event = await system.append(RELEASES, (published) => {
    const now = clock.now();
    const decision = decideWithdrawal({ published, label, now, windows: calendar });
    if (decision.outcome === 'withdraw') {
      return { callId, type: RELEASE_WITHDRAWN, at: now, data: decision.data };
    }
    ({ reason } = decision);
    return null;
  });
  if (event === null) throw new StartupError(`popindex: ${reason}`);
  const data = JSON.parse(event.data) as ReleaseWithdrawn;
  const { window, serving } = data;
  const instead = serving === null ? 'no release serves' : `release ${serving} serves`;
  const text = `Release ${label} was withdrawn: ${instead} window ${window}.`;
  printResult(json, data, text);
  return 0;
}

/** `popindex release import`, `withdraw` and `list`. */
export function releaseCommands(withFoundations: WithFoundations, withLog: WithLog): Command {
  const release = new Command('release').description('published data sets');
  release
    .command('import')
    .description('import a folder of CSV files as a new release, all of it or nothing')
    .argument('<dir>', 'folder with categories.csv, brands.csv, relations.csv, volumes.csv')
    .option('--window <label>', 'first window that it serves, for example 2026w48', windowLabel)
    .option('--dry-run', 'check the files and import nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex release import /tmp/release --dry-run')
    .action((dir: string, flags: ImportFlags) => {
      const folder = callerPath(dir);
      return withFolder(folder, 'nothing was imported', () =>
        withFoundations((foundations) => importInto(foundations, folder, flags)),
      );
    });
  release
    .command('withdraw')
    .description('take a release back before its window begins')
    .argument('<release>', 'its label, such as r2')
    .option('--json', 'print what was withdrawn as JSON')
    .addHelpText('after', '\nExample:\n  popindex release withdraw r2')
    .action((label: string, { json = false }: { json?: boolean }) =>
      withLog((foundations) => withdraw(foundations, label, json)),
    );
  release
    .command('list')
    .description('every release, the window it serves from, its newest month')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  popindex release list')
    .action(({ json = false }: { json?: boolean }) =>
      withLog(async (foundations) => list(foundations, json)),
    );
  return release;
}
