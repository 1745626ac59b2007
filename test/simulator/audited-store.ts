import type { EventLog, LaneAppend, LaneEnd } from '#event-log/event-log.js';

/** The store of all processes: whatever is written is held against the rules at once. */
export function auditedStore(
  store: EventLog,
  takeIn: (lanes: readonly number[]) => Promise<void>,
  onFailure: (error: unknown) => void,
): EventLog {
  const audited = Object.create(store) as EventLog;
  audited.append = async (appends: readonly LaneAppend[]): Promise<LaneEnd[]> => {
    const ends = await store.append(appends);
    const lanes = appends.map(({ end }) => end.lane);
    // A process would take what the oracles throw for an answer of the store.
    await takeIn(lanes).catch(onFailure);
    return ends;
  };
  return audited;
}
