/** Thrown for a server that must not be used now. Told as a database that does not answer. */
export class ServerRefusedError extends Error {
  override readonly name = 'ServerRefusedError';
  /** "Cannot connect now": it may heal by itself. */
  readonly code = '57P03';
}
