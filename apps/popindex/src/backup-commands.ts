import { Command } from 'commander';
import type { OnProgress } from '#backup/backup-progress.js';
import { checkBackup, findNoBackup } from '#backup/check-backup.js';
import { restoreBackup } from '#backup/restore-backup.js';
import { refuseFolder, takeBackup } from '#backup/take-backup.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { runCommand } from '#web/run-main.js';
import { StartupError, withAnsweringDatabase } from '#web/startup-error.js';
import { ProgressBar } from './progress-bar.js';
import {
  backupReport,
  backupReportJson,
  backupSucceeded,
  type BackupResult,
} from './backup-report.js';
import { callerPath } from './admin/caller-path.js';
import { buildProjections } from './build-projections.js';
import { withFolder } from './with-folder.js';

/** Runs a command on the service's database as it is and ends the process with its exit code. */
export type WithDatabase = (work: (database: DatabaseUrls) => Promise<number>) => Promise<void>;

interface Flags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** A folder that cannot be read or a disk that is full is an operator's to put right. */
async function withReadableFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined || !/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw new StartupError(`popindex: ${message}`, { cause: error });
  }
}

async function show(
  { json = false }: Flags,
  work: (onProgress: OnProgress) => Promise<BackupResult>,
): Promise<number> {
  const bar = new ProgressBar();
  try {
    const result = await withReadableFileErrors(() => work((progress) => bar.show(progress)));
    bar.stop();
    process.stdout.write(`${json ? backupReportJson(result) : backupReport(result)}\n`);
    return backupSucceeded(result) ? 0 : 1;
  } finally {
    bar.stop();
  }
}

/** `popindex backup`: exit code 0 for a whole backup, 1 for none. */
export function backupCommand(withDatabase: WithDatabase): Command {
  return new Command('backup')
    .description('back up the whole service into a new folder, while it runs')
    .argument('<dir>', 'a folder that is empty or not there yet')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex backup /backups/2026-11-24')
    .action(async (dir: string, flags: Flags) => {
      const folder = callerPath(dir);
      const refusal = await refuseFolder(folder);
      if (refusal !== undefined)
        return runCommand('popindex', () => show(flags, async () => refusal));
      return withDatabase((database) =>
        show(flags, (onProgress) =>
          withAnsweringDatabase(database, () => takeBackup(database.url, folder, { onProgress })),
        ),
      );
    });
}

async function restore(
  { url, migrationUrl }: DatabaseUrls,
  folder: string,
  onProgress: OnProgress,
): Promise<BackupResult> {
  const result = await restoreBackup(migrationUrl ?? url, folder, onProgress, url);
  if (result.outcome !== 'restored') return result;
  await buildProjections(url, onProgress);
  return result;
}

async function restoreFrom(
  folder: string,
  flags: Flags,
  withDatabase: WithDatabase,
): Promise<void> {
  if (flags.dryRun === true) {
    return runCommand('popindex', () => show(flags, (report) => checkBackup(folder, report)));
  }
  const missing = await findNoBackup(folder);
  if (missing !== undefined) return runCommand('popindex', () => show(flags, async () => missing));
  return withDatabase((database) =>
    show(flags, (onProgress) =>
      withAnsweringDatabase(database, () => restore(database, folder, onProgress)),
    ),
  );
}

/** `popindex restore`: exit code 0 when everything was restored (or is sound), 1 when nothing. */
export function restoreCommand(withDatabase: WithDatabase): Command {
  return new Command('restore')
    .description('restore a backup into an empty database, all of it or nothing')
    .argument('<dir>', 'a folder that the command backup has written')
    .option('--dry-run', 'only check the files and every chain of hashes; needs no database')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex restore /backups/2026-11-24 --dry-run')
    .action((dir: string, flags: Flags) => {
      const folder = callerPath(dir);
      return withFolder(folder, 'nothing was restored', () =>
        restoreFrom(folder, flags, withDatabase),
      );
    });
}
