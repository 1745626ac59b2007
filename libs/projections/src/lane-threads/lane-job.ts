/** The work on each lane, as plain data. */
export type LaneJob =
  | { readonly job: 'verify'; readonly webhookSecret: string | null }
  | {
      readonly job: 'fill';
      /** Names of some of `allProjections`. */
      readonly projections: readonly string[];
      /** Whether their copies are filled, which are being rebuilt. */
      readonly isShadow: boolean;
      readonly eventsMax: number;
      /** Lane and position up to which it is filled. */
      readonly upTo: readonly (readonly [lane: number, position: number])[];
    };

/** All that a thread knows when it starts. */
export interface ThreadData {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
  readonly job: LaneJob;
}
