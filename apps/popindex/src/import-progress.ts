import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { ImportProgress } from '#popularity/import-release.js';

const FORMAT = '{stage} |{bar}| {percentage} % {file} {rows} rows';

/** Shows an import's progress on standard error: a bar on a terminal, else a line a stage. */
export class ImportProgressBar {
  private readonly bars: MultiBar | undefined;
  private bar: SingleBar | undefined;
  private stage: string | undefined;

  constructor(isTerminal = process.stderr.isTTY) {
    if (isTerminal) this.bars = new MultiBar({ format: FORMAT }, Presets.shades_classic);
  }

  show({ stage, file, rows, bytes, totalBytes }: ImportProgress): void {
    if (this.bars === undefined) {
      if (stage !== this.stage) process.stderr.write(`${stage} …\n`);
    } else {
      if (stage !== this.stage) this.bar = this.bars.create(totalBytes, 0);
      this.bar?.update(stage === 'checking' ? bytes : totalBytes, { stage, file, rows });
    }
    this.stage = stage;
  }

  /** Nothing is shown afterwards. */
  stop(): void {
    this.bars?.stop();
  }
}
