import type { Faults } from './fault.js';
import type { Complain } from './fields.js';

/** One of the four files: what is in it is checked row by row, and once more at its end. */
export interface Table {
  readonly file: string;
  readonly columns: readonly string[];
  /** A row's values in the order of `columns`. */
  row(line: number, values: readonly string[]): void;
  end(): void;
}

/** Complaints about the fields of one line. */
export function complaintsAt(faults: Faults, file: string, line: number): Complain {
  return (column, reason) => faults.add(file, line, column, reason);
}
