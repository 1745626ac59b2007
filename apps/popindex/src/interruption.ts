import type { ImportProgress } from '#popularity/import-release.js';
import { ENDING_SIGNALS } from '#web/run-main.js';

/** Reports the outcome of an interrupted import, and makes that outcome true. */
export class Interruption {
  private stage: ImportProgress['stage'] = 'checking';
  private hasCome = false;

  constructor(private readonly output: Pick<NodeJS.WriteStream, 'write'> = process.stderr) {
    for (const signal of ENDING_SIGNALS) process.once(signal, this.report);
  }

  /** Throws when the import was interrupted: what was said to be undone must not be published. */
  at(stage: ImportProgress['stage']): void {
    if (this.hasCome) throw new Error('The import was interrupted.');
    this.stage = stage;
  }

  /** The import has come to its end. */
  stop(): void {
    for (const signal of ENDING_SIGNALS) process.off(signal, this.report);
  }

  private readonly report = (): void => {
    this.hasCome = true;
    const what =
      this.stage === 'publishing'
        ? 'while the release was being published; "popindex release list" shows whether it was.'
        : 'nothing was imported, and what serves is unchanged.';
    this.output.write(`\npopindex: interrupted: ${what}\n`);
  };
}
