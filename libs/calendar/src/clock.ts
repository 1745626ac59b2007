/** Where the present comes from: the process's clock, corrected by its offset to the database's. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}
