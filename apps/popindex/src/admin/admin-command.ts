import type { ClientRequest } from '#client/connection.js';

/** A request of a command, its path below `/admin/v1`. */
export interface AdminRequest extends Pick<ClientRequest, 'path' | 'body' | 'headers'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}

/** A file that is sent as it is. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/**
 * Where a value goes: into the path `{like_this}`, the query, a member of the body, or in the place
 * of the body (a `SentFile`).
 */
type Place = 'path' | 'query' | 'body' | 'file';

/** Reads what was typed. Throws commander's InvalidArgumentError. */
export type Read = (text: string) => unknown;

/** An argument or option, and where its value goes. */
export interface InputPlace {
  readonly description: string;
  readonly in: Place;
  /** Name of the parameter or member; the whole body when it is the empty text. */
  readonly to: string;
  readonly read?: Read;
}

export interface CommandArgument extends InputPlace {
  /** In angle brackets, as `<account>`. */
  readonly name: string;
}

export interface CommandOption extends InputPlace {
  /** As commander takes them: `--overdraft <credits>`. */
  readonly flags: string;
  readonly isRequired?: boolean;
}

/** One command of the admin REST: everything about it that is its own. */
export interface AdminCommand {
  readonly name: string;
  readonly description: string;
  /** An example: the words after `popindex`. */
  readonly example: string;
  readonly method: AdminRequest['method'];
  /** Whether it changes something: a POST may also ask. */
  readonly isChange: boolean;
  readonly path: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Members of each item, where the answer is a list. */
  readonly columns?: readonly string[];
  /** Printed when the answer has no body. */
  readonly done?: string;
}

/** The commands about one thing, as `popindex account …`. */
export interface AdminNoun {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly AdminCommand[];
}
