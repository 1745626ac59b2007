// These names are the stored format: members may be added, never renamed or removed.

/**
 * A call under an idempotency key was answered to another request than the one that made it. From
 * then on its charge stands: somebody may have been given what was paid for.
 */
export interface CallReplayed {
  readonly call_id: string;
}
