/** One thing that is wrong with the files of a backup. */
export interface BackupFault {
  /** Relative to the backup's folder, with slashes. */
  readonly file: string;
  /** The first line that does not fit, from 1; null where the fault is the whole file's. */
  readonly line: number | null;
  readonly reason: string;
}

/** A fault as a person reads it: `log/lane-07.jsonl:123: holds position 124 instead of 123`. */
export function backupFaultText({ file, line, reason }: BackupFault): string {
  return line === null ? `${file}: ${reason}` : `${file}:${line}: ${reason}`;
}

/** Carries a fault out of the middle of reading. It never leaves this library. */
export class DamageError extends Error {
  override readonly name = 'DamageError';

  constructor(readonly fault: BackupFault) {
    super(backupFaultText(fault));
  }
}

/** Runs `work` and returns the fault that it met, if any. */
export async function faultIn(work: () => Promise<void>): Promise<BackupFault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    return error.fault;
  }
}
