/** One wrong parameter of a path, as a problem of type `invalid-parameter` lists it. */
export interface PathFault {
  readonly in: 'path';
  /** The parameter's name in the specification, or `path` for the path as a whole. */
  readonly name: string;
  readonly value: string;
  readonly allowed?: string[];
  readonly detail?: string;
}

/** Why a "%" is refused wherever it stands: it would be a second spelling of what is charged. */
export const NOT_DECODED = 'Paths are taken as sent: "%" is not decoded.';
