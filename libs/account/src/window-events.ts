// These names are the stored format: members may be added, never renamed or removed.

/** A window ended in which the account had called. */
export interface WindowClosed {
  readonly window: string;
  readonly calls: number;
  readonly base_calls: number;
  readonly credits: number;
}
