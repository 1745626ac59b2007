/** How far a backup or a restore has come. */
export interface BackupProgress {
  /** Each goes from 0 to its total once. */
  readonly stage:
    | 'writing files'
    | 'checking files'
    | 'checking events'
    | 'loading rows'
    | 'building indexes'
    | 'building projections';
  readonly done: number;
  readonly total: number;
  readonly unit: 'rows' | 'bytes' | 'steps' | 'events';
}

export type OnProgress = (progress: BackupProgress) => void;

/** Counts and reports the progress of one stage. */
export class ProgressCounter {
  private done = 0;

  constructor(
    private readonly stage: BackupProgress['stage'],
    private readonly unit: BackupProgress['unit'],
    private readonly total: number,
    private readonly onProgress: OnProgress,
  ) {
    this.add(0);
  }

  add(count: number): void {
    this.done += count;
    const { stage, done, total, unit } = this;
    this.onProgress({ stage, done, total, unit });
  }
}
