import type { AccountState } from './state.js';
import type { Origin } from './terms.js';

/** Cause of an event: a command, the state and a moment, or a call. */
export type EventClass = 'commanded' | 'due' | 'call';

/** Any of the commands: each noun states its own type. */
interface NamedCommand {
  readonly command: string;
}

type Members = Readonly<Record<string, unknown>>;

/** How values are written where a story is shown; what an older event lacks is undefined. */
export interface Writer {
  readonly text: (member: unknown) => string;
  readonly number: (value: number | undefined) => string;
  readonly credits: (credits: number | undefined) => string;
  /** `1 call`, `12 calls`. */
  readonly count: (count: number | undefined, one: string) => string;
  readonly moment: (at: string | null | undefined) => string;
  /** Minor units; without a currency that of the account. */
  readonly money: (amount: number | undefined, currency?: string) => string;
}

/** The words for an event in an account's story. */
export interface Story<Data> {
  readonly title: string;
  readonly details?: (data: Partial<Data>, write: Writer) => string;
  /** Marks what gave (good), took (warn) or stopped something (bad). */
  readonly tone?: 'good' | 'warn' | 'bad';
}

/** The notification of an event, with a permanent name. Nothing personal. */
export interface Notification<Data, Name extends string> {
  readonly type: Name;
  readonly data: (data: Data) => Members;
}

/** The message of an event to the pages of the account's customer, with the members they need. */
export interface PageMessage<Data> {
  readonly kind: string;
  readonly data?: (data: Data) => Members;
}

/** The words of an e-mail about an alert, to the addresses that its budget names. */
export interface Mail<Data> {
  readonly headline: (data: Data) => string;
  readonly sentence: (data: Data, write: Pick<Writer, 'number'>) => string;
}

interface Facets<Data, Notified extends string> {
  /**
   * False of what only informs, or is about an earlier month: an account that is idle has no month
   * to close.
   */
  readonly opensMonth?: false;
  /** Effect on the state. */
  readonly effect: (state: AccountState, data: Data, at: number) => Partial<AccountState>;
  readonly notification?: Notification<Data, Notified>;
  readonly mail?: Mail<Data>;
  /** Absent: it is no business of the customer's pages. */
  readonly page?: PageMessage<Data>;
  readonly story: Story<Data>;
}

/** All that is known of one type of event. Its name and the members of its data are stored. */
export interface EventType<
  Class extends EventClass,
  Data,
  Notified extends string = never,
> extends Facets<Data, Notified> {
  readonly class: Class;
  /** The command that it answers to in the state before it, as far as the event says. */
  readonly command?: (data: Data, state: AccountState) => NamedCommand;
  /** Whether it follows from the call right before it, where its data names one. */
  readonly namesCall?: true;
}

/** An event as a decision returns it and the log holds it; `at` in ms since 1970. */
export interface EventOf<Name extends string, Data> {
  readonly type: Name;
  readonly at: number;
  readonly data: Data;
}

/** Any event of a table of types. */
export type EventsOf<Types extends Readonly<Record<string, { readonly effect: Effect }>>> = {
  [Name in keyof Types & string]: EventOf<Name, Parameters<Types[Name]['effect']>[1]>;
}[keyof Types & string];

type Effect = (state: AccountState, data: never, at: number) => Partial<AccountState>;

/** An event that answers to a command other than a call. */
export function commanded<Data extends Origin, Notified extends string = never>(
  facets: Facets<Data, Notified> & {
    readonly command: (data: Data, state: AccountState) => NamedCommand;
  },
): EventType<'commanded', Data, Notified> {
  return { class: 'commanded', ...facets };
}

/** An event that follows from a state by itself. */
export function due<Data, Notified extends string = never>(
  facets: Facets<Data, Notified> & { readonly namesCall?: true },
): EventType<'due', Data, Notified> {
  return { class: 'due', ...facets };
}

/** An event that a call makes, sold or refused. */
export function ofCall<Data, Notified extends string = never>(
  facets: Facets<Data, Notified> & { readonly command?: (data: Data) => NamedCommand },
): EventType<'call', Data, Notified> {
  return { class: 'call', ...facets };
}

/** Who made a change, why and by which request, out of the event. */
export function originOf({ by, request, input, reason }: Origin): Origin {
  return { by, request, input, ...(reason !== undefined && { reason }) };
}

/** Instants inside stored events are written by this program and always parse. */
export function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
