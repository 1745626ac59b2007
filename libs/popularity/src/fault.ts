/** One thing that is wrong with the files of a release. */
export interface Fault {
  readonly file: string;
  /** Counted from 1, the header being line 1; null for a fault of the whole file. */
  readonly line: number | null;
  readonly column: string | null;
  readonly reason: string;
  /** Faults of its kind, in this column of this file, that come after it and are not listed. */
  readonly more: number;
}

const LISTED_OF_KIND_MAX = 5;
const SHOWN_CHARACTERS_MAX = 80;

/** Differs between two faults of a kind: values, which stand in quotes, and numbers. */
const VALUES = /"(?:[^"\\]|\\.)*"|\d+/g;
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** `volumes.csv:1234: month: "2026-13-01" is not a month like 2015-07-01, and 128,265 more` */
export function faultText({ file, line, column, reason, more }: Fault): string {
  const place = line === null ? file : `${file}:${line}`;
  const text = column === null ? `${place}: ${reason}` : `${place}: ${column}: ${reason}`;
  return more === 0 ? text : `${text}, and ${more.toLocaleString('en')} more`;
}

/** A value as faults show it: quoted, controls escaped, long ones cut. */
export function shown(value: string): string {
  const cut =
    value.length > SHOWN_CHARACTERS_MAX ? `${value.slice(0, SHOWN_CHARACTERS_MAX)}…` : value;
  return JSON.stringify(cut);
}

interface CountedFault extends Fault {
  more: number;
}

/**
 * Collects faults: all are counted, the first few of each kind are listed. Two faults are of a
 * kind when they differ in line and values only, so that there are few kinds.
 */
export class Faults {
  #total = 0;
  readonly #kinds = new Map<string, CountedFault[]>();
  readonly #unread = new Set<string>();

  get total(): number {
    return this.#total;
  }

  add(file: string, line: number | null, column: string | null, reason: string): void {
    this.#total += 1;
    const kind = `${file} ${column} ${reason.replace(VALUES, '')}`;
    const listed = this.#kinds.get(kind) ?? [];
    const last = listed[LISTED_OF_KIND_MAX - 1];
    if (last !== undefined) last.more += 1;
    else this.#kinds.set(kind, [...listed, { file, line, column, reason, more: 0 }]);
  }

  /** A row that cannot be read: its ids may be named by others, which are not at fault. */
  addUnreadRow(file: string, line: number, reason: string, text: string): void {
    this.add(file, line, null, reason);
    for (const [id] of text.matchAll(UUIDS)) this.#unread.add(id.toLowerCase());
  }

  /** Whether an id stands in a row that cannot be read. */
  isUnread(id: string): boolean {
    return this.#unread.has(id);
  }

  /** The first few of each kind, in the order of the files as given and of their lines. */
  list(files: readonly string[]): Fault[] {
    return [...this.#kinds.values()]
      .flat()
      .toSorted(
        (one, other) =>
          files.indexOf(one.file) - files.indexOf(other.file) ||
          (one.line ?? 0) - (other.line ?? 0),
      );
  }
}
