import { Presets, SingleBar } from 'cli-progress';

export interface ToolProgress {
  readonly stage: string;
  /** Events. */
  readonly done: number;
  readonly total: number;
}

const NUMBERS = new Intl.NumberFormat('en');
/** Without a terminal, a line is printed each time so much more of a stage is done. */
const LINE_PERCENT = 10;

/** Shows how far a walk through the log is on standard error: a bar on a terminal, else lines. */
export class LogToolProgress {
  private bar: SingleBar | undefined;
  private stage: string | undefined;
  private nextPercent = 0;

  constructor(private readonly output: NodeJS.WriteStream = process.stderr) {}

  show(progress: ToolProgress): void {
    const isNew = progress.stage !== this.stage;
    this.stage = progress.stage;
    if (this.output.isTTY) this.draw(progress, isNew);
    else this.print(progress, isNew);
  }

  /** Leaves the terminal as a prompt expects it. */
  stop(): void {
    this.bar?.stop();
    this.bar = undefined;
  }

  private draw({ stage, done, total }: ToolProgress, isNew: boolean): void {
    if (isNew) {
      this.stop();
      const format = `${stage} |{bar}| {percentage} % {value} of {total} events {duration_formatted}`;
      this.bar = new SingleBar({ format, stream: this.output }, Presets.shades_classic);
      this.bar.start(total, 0);
    }
    this.bar?.setTotal(total);
    this.bar?.update(done);
  }

  private print({ stage, done, total }: ToolProgress, isNew: boolean): void {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (isNew) this.nextPercent = 0;
    if (percent < this.nextPercent) return;
    this.nextPercent = percent - (percent % LINE_PERCENT) + LINE_PERCENT;
    const of = `${NUMBERS.format(done)} of ${NUMBERS.format(total)} events`;
    this.output.write(`${stage}: ${percent} % (${of})\n`);
  }
}
