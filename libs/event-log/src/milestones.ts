/** The type of nearly all events of the log. */
const MANY = 'CallMade';
/** One in so many events of an account is a milestone, whatever its type. */
export const MILESTONE_EVERY = 256;

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
