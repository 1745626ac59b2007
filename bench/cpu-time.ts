import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** Places in /proc/<pid>/stat after the name of the program, which may hold spaces. */
const PARENT = 1;
const USER_TO_REAPED = [11, 12, 13, 14];

function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Processor time in seconds that a process and those below it have used, the ended ones included.
 * It is hardly touched by what else the machine does. Undefined where there is no /proc.
 */
export function cpuSeconds(pid: number): number | undefined {
  if (statOf(String(pid)) === undefined) return undefined;
  const stats = new Map<string, string[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (stat !== undefined) stats.set(name, stat);
  }
  const ticksBelow = (process: string): number => {
    const stat = stats.get(process) ?? [];
    const own = USER_TO_REAPED.reduce((sum, place) => sum + Number(stat[place] ?? 0), 0);
    const children = [...stats].filter(([, each]) => each[PARENT] === process);
    return children.reduce((sum, [child]) => sum + ticksBelow(child), own);
  };
  return ticksBelow(String(pid)) / TICKS_PER_SECOND;
}
