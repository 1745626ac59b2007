import { hashEvent, type HashedEvent } from './hash-chain.js';

/** The rest that the log keeps of the data of a call that was archived. */
export interface ArchivedCall {
  /** Number of the archive that has its data: 1, 2, 3, … */
  readonly archive: number;
  /** Of its account's chain after the call, 64 hex digits. */
  readonly head: string;
}

/**
 * The member is a number in every call that is not archived. SQL that filters or sums archived
 * calls by it fails at this text: nothing leaves such a call out unnoticed.
 */
const BEGINNING = '{"api_key":"';
const DATA = /^\{"api_key":"archived in (\d+): ([\w-]{43})"\}$/;
/** How PostgreSQL quotes the text that it could not read as a number. */
const IN_MESSAGE = /"archived in (\d+): [\w-]{43}"/;

/** Thrown by a reading that needs the data of calls that were archived. */
export class ArchivedCallsError extends Error {
  override readonly name = 'ArchivedCallsError';
  constructor(
    readonly archive: number,
    /** The file that has them and is not at hand, where it was looked for. */
    readonly file?: string,
  ) {
    const missing = file === undefined ? '' : `: ${file} is not at hand`;
    super(
      `Calls are archived, in archive ${archive}${missing}. ` +
        `\`popindex archive --bring-back ${archive}\` puts them back into the log.`,
    );
  }
}

/** The JSON text that takes the place of a call's data. */
export function archivedData({ archive, head }: ArchivedCall): string {
  return `${BEGINNING}archived in ${archive}: ${Buffer.from(head, 'hex').toString('base64url')}"}`;
}

/** The rest of a call, by the text of its data; undefined: it is no archived one. */
export function archivedCall(data: string): ArchivedCall | undefined {
  if (!data.startsWith(BEGINNING)) return undefined;
  const [, archive, head = ''] = DATA.exec(data) ?? [];
  if (archive === undefined) return undefined;
  return { archive: Number(archive), head: Buffer.from(head, 'base64url').toString('hex') };
}

/** SQL: whether the data of a call `e` was archived. */
export const IS_ARCHIVED = `e.data::text like '${BEGINNING}%'`;

/** SQL: whether it is in one archive. */
export function isArchivedIn(archive: number): string {
  return `e.data::text like '${BEGINNING}archived in ${archive}:%'`;
}

/** Throws ArchivedCallsError where the data of an event is not in the log. */
export function refuseArchived(data: string): void {
  const archived = archivedCall(data);
  if (archived !== undefined) throw new ArchivedCallsError(archived.archive);
}

/** The error that a statement over archived calls stands for, if any. */
export function archivedCallsError(error: unknown): ArchivedCallsError | undefined {
  if (error instanceof ArchivedCallsError) return error;
  const { message = '' } = Object(error) as Partial<Error>;
  const [, archive] = IN_MESSAGE.exec(message) ?? [];
  return archive === undefined ? undefined : new ArchivedCallsError(Number(archive));
}

/** The account's head after an event: that of an archived call is kept, any other is worked out. */
export function headAfter(previousHead: string, event: HashedEvent): string {
  return archivedCall(event.data)?.head ?? hashEvent(previousHead, event);
}
