/** The checks of a verification, in the order of the report. */
export const CHECKS = {
  pages: 'the database can read all that it has stored',
  positions: 'positions of each lane are 1, 2, 3, … up to where the lane stands',
  batches: 'each batch row closes exactly the events that follow the batch before',
  chains: 'both hash chains lead from the first event to the head of each lane',
  versions: 'versions of each account are 1, 2, 3, …',
  moments: 'the moment of every event is a whole millisecond, as its hash says',
  events: 'every event is of a type that is known and stands in the lane of its account',
  accounts: 'no account has an event that cannot be applied',
  'call-ids': 'no two events of a lane have the same call id',
  charges: 'every event is what the rate card, the opened keys and the state before it lead to',
  balances: 'the balance of each account is the sum of what happened and lies in its grants',
  corrections: 'a call is given back at most once and at most its charge',
  books:
    'the journal holds what is owed in purchased credits, due of invoices, and kept of payments',
  'api-keys': 'no two API keys have the same hash',
  checkpoints: 'each projection stands in every lane, not beyond its end, at its version',
  projections: 'the rows of every projection are those that a replay up to its checkpoints makes',
  numbers: 'numbers of invoices and credit notes are 1, 2, 3, … in each series',
  documents:
    'every document that an event names is there, byte for byte and of its media type, its tax converted at a rate of the log',
  profiles: 'the names and texts that events name are there, with the SHA-256 that they name',
  secrets: 'each webhook has the secret that its events name, and it opens with the key at hand',
  releases: 'the rows of every release are those that were loaded, from files with its SHA-256',
} as const;

export type CheckName = keyof typeof CHECKS;

/** One row that is not what it must be. */
export interface Finding {
  readonly table: string;
  /** Names the row, for example `lane 3, position 17`. */
  readonly key: string;
  readonly expected: unknown;
  readonly found: unknown;
}

export interface CheckResult {
  readonly check: CheckName;
  readonly rule: string;
  /** How many rows differ. One damage may make many rows differ. */
  readonly differences: number;
  /** The first one, by lane. */
  readonly first: Finding | null;
}

/** A difference in one lane, as plain data: it may come from another thread. */
export interface LaneDifference {
  readonly check: CheckName;
  readonly count: number;
  readonly first: Finding;
}

/** Counts what differs in a lane and keeps the first of each check. */
export class LaneFindings {
  private readonly found = new Map<CheckName, LaneDifference>();

  constructor(readonly lane: number) {}

  add(check: CheckName, finding: Finding, more = 1): void {
    const { count, first } = this.found.get(check) ?? { count: 0, first: finding };
    this.found.set(check, { check, count: count + more, first });
  }

  event(check: CheckName, position: number, expected: unknown, found: unknown): void {
    const key = `lane ${this.lane}, position ${position}`;
    this.add(check, { table: 'event', key, expected, found });
  }

  differences(): LaneDifference[] {
    return [...this.found.values()];
  }
}

/** Results of all checks from what differs, given in the order of lanes. Pure. */
export function checkResults(differences: readonly LaneDifference[]): CheckResult[] {
  return (Object.keys(CHECKS) as CheckName[]).map((check) => {
    const own = differences.filter((difference) => difference.check === check);
    const count = own.reduce((sum, difference) => sum + difference.count, 0);
    return { check, rule: CHECKS[check], differences: count, first: own[0]?.first ?? null };
  });
}
