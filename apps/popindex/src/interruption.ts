import type { ImportProgress } from '#popularity/import-release.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Tells whoever interrupts an import what has come of it, and makes that true. */
export class Interruption {
  private stage: ImportProgress['stage'] = 'checking';
  private hasCome = false;

  constructor(private readonly output: Pick<NodeJS.WriteStream, 'write'> = process.stderr) {
    for (const signal of SIGNALS) process.once(signal, this.tell);
  }

  /** Throws when the import was interrupted: what was said to be undone must not be published. */
  at(stage: ImportProgress['stage']): void {
    if (this.hasCome) throw new Error('The import was interrupted.');
    this.stage = stage;
  }

  /** The import has come to its end. */
  stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.tell);
  }

  private readonly tell = (): void => {
    this.hasCome = true;
    const what =
      this.stage === 'publishing'
        ? 'while the release was being published; "popindex release list" tells whether it was.'
        : 'nothing was imported, and what serves is unchanged.';
    this.output.write(`\npopindex: interrupted: ${what}\n`);
  };
}
