/** One thing that is wrong with the files of a release. */
export interface Fault {
  readonly file: string;
  /** Counted from 1, the header being line 1; null for a fault of the whole file. */
  readonly line: number | null;
  readonly column: string | null;
  readonly reason: string;
}

const LISTED_MAX = 1000;
const SHOWN_CHARACTERS_MAX = 80;

/** `volumes.csv:1234: month: "2026-13-01" is not a month` */
export function faultText({ file, line, column, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`;
  return column === null ? `${place}: ${reason}` : `${place}: ${column}: ${reason}`;
}

/** A value as faults show it: quoted, controls escaped, long ones cut. */
export function shown(value: string): string {
  const cut =
    value.length > SHOWN_CHARACTERS_MAX ? `${value.slice(0, SHOWN_CHARACTERS_MAX)}…` : value;
  return JSON.stringify(cut);
}

/** Collects faults: all are counted, the first thousand of each file are kept. */
export class Faults {
  #total = 0;
  readonly #kept: Fault[] = [];
  readonly #keptByFile = new Map<string, number>();

  get total(): number {
    return this.#total;
  }

  add(file: string, line: number | null, column: string | null, reason: string): void {
    this.#total += 1;
    const kept = this.#keptByFile.get(file) ?? 0;
    if (kept >= LISTED_MAX) return;
    this.#keptByFile.set(file, kept + 1);
    this.#kept.push({ file, line, column, reason });
  }

  /** The first thousand, in the order of the files as given and of their lines. */
  list(files: readonly string[]): Fault[] {
    const ordered = this.#kept.toSorted(
      (one, other) =>
        files.indexOf(one.file) - files.indexOf(other.file) || (one.line ?? 0) - (other.line ?? 0),
    );
    return ordered.slice(0, LISTED_MAX);
  }
}
