import { backupFaultText } from '#backup/backup-fault.js';
import type { CheckOutcome } from '#backup/check-backup.js';
import { manifestSum, type Manifest } from '#backup/manifest.js';
import type { RestoreOutcome } from '#backup/restore-backup.js';
import type { BackupOutcome } from '#backup/take-backup.js';

/** The outcome of a command on backups: restored, checked (a dry run), written, or why not. */
export type BackupResult = BackupOutcome | RestoreOutcome | CheckOutcome;

const NUMBERS = new Intl.NumberFormat('en');

function speed(events: number, seconds: number): string {
  const perSecond = Math.round(events / Math.max(seconds, 0.001));
  return `${seconds.toFixed(1)} s, ${NUMBERS.format(perSecond)} events a second`;
}

function contentText(manifest: Manifest): string {
  const { events, created_at } = manifest;
  return `${NUMBERS.format(events)} events as of ${created_at}, state ${manifestSum(manifest)}`;
}

/** The result for a person. Pure. */
export function backupReport(result: BackupResult): string {
  switch (result.outcome) {
    case 'written': {
      const megabytes = `${NUMBERS.format(Math.ceil(result.bytes / 1_000_000))} MB`;
      const taken = speed(result.manifest.events, result.seconds);
      return `Backed up: ${contentText(result.manifest)}.\n${megabytes} in ${taken}.`;
    }
    case 'restored': {
      const taken = speed(result.manifest.events, result.seconds);
      return `Restored: ${contentText(result.manifest)}.\nIn ${taken}. Its projections are built.`;
    }
    case 'sound':
      return `Nothing is wrong with it: ${contentText(result.manifest)}.`;
    case 'refused':
      return `Nothing was done: ${result.reason}`;
    case 'faulty': {
      const { faults } = result;
      const end = `Not restored: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`;
      return [...faults.map(backupFaultText), end].join('\n');
    }
  }
}

/** The result for a program: one JSON object whose `outcome` says which. Pure. */
export function backupReportJson(result: BackupResult): string {
  if (!('manifest' in result)) return JSON.stringify(result, null, 2);
  const { manifest, ...rest } = result;
  const { created_at, events, batches } = manifest;
  const sha256 = manifestSum(manifest);
  return JSON.stringify({ ...rest, created_at, events, batches, sha256 }, null, 2);
}

/** Whether the command did what it was asked for. */
export function backupSucceeded({ outcome }: BackupResult): boolean {
  return outcome !== 'refused' && outcome !== 'faulty';
}
