/** Facts about one accounting process that a choice needs. */
export interface Candidate {
  readonly ready: boolean;
  /** Ready for so long that it is worth giving it back the lanes that are its own. */
  readonly stable: boolean;
}

/**
 * Index of the process that is asked about a lane, or undefined when none is ready. Any would be
 * correct; a lane that stays with one is fast. Each lane has a home, the same for every API
 * process; while that is away, or only just back, the lane stays with whoever served it last.
 */
export function chooseProcess(
  lane: number,
  processes: readonly Candidate[],
  last: number | undefined,
): number | undefined {
  const home = lane % processes.length;
  if (processes[home]?.stable === true && processes[home].ready) return home;
  if (last !== undefined && processes[last]?.ready === true) return last;
  for (let step = 0; step < processes.length; step++) {
    const index = (home + step) % processes.length;
    if (processes[index]?.ready === true) return index;
  }
  return undefined;
}
