import { planAppend } from '#event-log/append-plan.js';
import {
  AppendUncertainError,
  LogUnavailableError,
  type EventLog,
  type LaneEnd,
} from '#event-log/event-log.js';

/** A log with some of its parts replaced. */
export function changed(log: EventLog, changes: Partial<EventLog>): EventLog {
  return Object.assign(Object.create(log) as EventLog, changes);
}

/** Takes any event at any time, whatever its writer believed to be the end. */
export function withoutPositionCheck(log: EventLog): EventLog {
  return changed(log, {
    append: async (appends) => {
      const ends = new Map((await log.ends()).map((end) => [end.lane, end]));
      return log.append(
        appends.map(({ end, events }) => ({ end: ends.get(end.lane) ?? end, events })),
      );
    },
  });
}

/** Believes that it alone owns its groups: a lane that another one has moved counts as written. */
export function believingToOwn(log: EventLog): EventLog {
  return changed(log, {
    append: async (appends) => {
      await log.append(appends);
      return planAppend(appends, log.groups).map(({ to }) => to);
    },
  });
}

export function reportingLossesAsOutages(log: EventLog): EventLog {
  return changed(log, {
    append: (appends) =>
      log.append(appends).catch((error: unknown): LaneEnd[] => {
        throw error instanceof AppendUncertainError ? new LogUnavailableError('away') : error;
      }),
  });
}

/** One server that is down is in the way of all. */
export function lookingAtAllLanes(log: EventLog): EventLog {
  return changed(log, {
    append: async (appends) => {
      await log.ends();
      return log.append(appends);
    },
  });
}
