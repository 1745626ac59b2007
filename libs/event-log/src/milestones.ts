/** The type of nearly all events of the log. */
const MANY = 'CallMade';
/** One in so many events of an account is a milestone, whatever its type. */
export const MILESTONE_EVERY = 256;

/** Some of the events. Whoever collects is handed all of them, and has to know which. */
export interface Wants {
  /** In the names of statements: of no other condition. */
  readonly name: string;
  /** SQL for whether an event `e` is wanted. */
  readonly condition: string;
}

/**
 * SQL for whether an event `e` is a milestone: every event but most of the calls. An index of the
 * log (`event_milestone`) holds these alone, so that who wants no others reads no others.
 */
export const MILESTONE = `(e.type <> '${MANY}' or e.account_version % ${MILESTONE_EVERY} = 0)`;

/** The same of an event at hand. */
export function isMilestone(event: {
  readonly type: string;
  readonly accountVersion: number;
}): boolean {
  return event.type !== MANY || event.accountVersion % MILESTONE_EVERY === 0;
}

/** Every event but calls: milestones, found by the same index. */
export const CHANGES: Wants = { name: 'changes', condition: `e.type <> '${MANY}'` };
