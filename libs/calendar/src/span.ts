/** A labelled span of time, `startsAt` inclusive, `endsAt` exclusive, in ms since 1970. */
export interface Span {
  readonly label: string;
  readonly startsAt: number;
  readonly endsAt: number;
}
