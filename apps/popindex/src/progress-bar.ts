import { Presets, SingleBar } from 'cli-progress';

/** How far a stage of some work has come. */
interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** Events unless given. */
  readonly unit?: string;
}

const NUMBERS = new Intl.NumberFormat('en');
/** Without a terminal, a line is printed each time so much more of a stage is done. */
const LINE_PERCENT = 10;

function percentOf({ done, total }: Progress): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total);
}

/** Shows how far some work is on standard error: a bar on a terminal, else lines. */
export class ProgressBar {
  private bar: SingleBar | undefined;
  private stage = '';
  private shownPercent = 0;

  constructor(private readonly output: NodeJS.WriteStream = process.stderr) {}

  show({ unit = 'events', ...others }: Progress): void {
    const progress = { unit, ...others };
    const { stage } = progress;
    const isNew = this.stage !== `${stage} ${unit}`;
    this.stage = `${stage} ${unit}`;
    if (this.output.isTTY) this.draw(progress, isNew);
    else this.print(progress, isNew);
  }

  /** Prints a line between two looks at how far it is. */
  say(line: string): void {
    this.stop();
    this.stage = '';
    this.output.write(`${line}\n`);
  }

  /** Leaves the terminal as a prompt expects it. */
  stop(): void {
    this.bar?.stop();
    this.bar = undefined;
  }

  private draw({ stage, done, total, unit }: Required<Progress>, isNew: boolean): void {
    if (isNew) {
      this.stop();
      const format = `${stage} |{bar}| {percentage} % {value} of {total} ${unit} {duration_formatted}`;
      this.bar = new SingleBar({ format, stream: this.output }, Presets.shades_classic);
      this.bar.start(total, 0);
    }
    this.bar?.setTotal(total);
    this.bar?.update(done);
  }

  private print(progress: Required<Progress>, isNew: boolean): void {
    const percent = percentOf(progress);
    if (isNew) this.shownPercent = -LINE_PERCENT;
    if (percent - this.shownPercent < LINE_PERCENT) return;
    this.shownPercent = percent - (percent % LINE_PERCENT);
    const { stage, done, total, unit } = progress;
    const of = `${NUMBERS.format(done)} of ${NUMBERS.format(total)} ${unit}`;
    this.output.write(`${stage}: ${percent} % (${of})\n`);
  }
}
