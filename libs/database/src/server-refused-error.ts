/** Thrown for a server that must not be used now. Reported as a database that does not answer. */
export class ServerRefusedError extends Error {
  override readonly name = 'ServerRefusedError';
  /** "Cannot connect now": it may heal by itself. */
  readonly code = '57P03';

  /** `brief`: the same without an address, for those who need not know any. */
  constructor(
    message: string,
    readonly brief: string,
  ) {
    super(message);
  }
}
