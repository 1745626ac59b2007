import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { ImportProgress } from '#popularity/import-release.js';

/** Shows an import's progress on standard error: a bar on a terminal, else a line a stage. */
export class ImportProgressBar {
  private readonly bars = new MultiBar(
    { format: '{stage} |{bar}| {percentage} % {file} {rows} rows', clearOnComplete: false },
    Presets.shades_classic,
  );
  private bar: SingleBar | undefined;
  private stage: string | undefined;

  constructor(private readonly terminal = process.stderr.isTTY) {}

  show({ stage, file, rows, bytes, totalBytes }: ImportProgress): void {
    if (!this.terminal) {
      if (stage !== this.stage) process.stderr.write(`${stage} …\n`);
    } else {
      if (stage !== this.stage) this.bar = this.bars.create(totalBytes, 0);
      this.bar?.update(stage === 'checking' ? bytes : totalBytes, { stage, file, rows });
    }
    this.stage = stage;
  }

  stop(): void {
    this.bars.stop();
  }
}
