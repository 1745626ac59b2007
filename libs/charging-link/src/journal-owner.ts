import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** Places of state and start among the fields of /proc/<pid>/stat that follow the name. */
const STATE = 0;
const STARTED = 19;

/**
 * Where a process id means something: this boot of the machine, and this namespace of ids (each
 * container has its own). Null where the system does not say.
 */
function place(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    return namespace === undefined ? null : `${boot}-${namespace}`;
  } catch {
    return null;
  }
}

/** Moment a process was started, in ticks since the boot; null if there is no such process. */
function startOf(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[STATE] ?? '';
    // A zombie and a dead process run no more; their parents have not taken notice yet.
    return 'ZX'.includes(state) ? null : (fields[STARTED] ?? null);
  } catch {
    return null;
  }
}

/** A name for the files of this process, different each time. */
export function ownName(): string {
  const unique = randomBytes(4).toString('hex');
  const at = place();
  const start = startOf(String(process.pid));
  return at === null || start === null
    ? `unknown-${unique}`
    : `${at}-${process.pid}-${start}-${unique}`;
}

/**
 * True if the process of that name has surely ended, false if it lives. Undefined if it cannot be
 * seen from here: it is in another container or on another machine.
 */
export function hasEnded(name: string): boolean | undefined {
  const [boot, namespace, pid, start] = name.split('-');
  if (pid === undefined || start === undefined) return undefined;
  if (`${boot}-${namespace}` !== place()) return undefined;
  return startOf(pid) !== start;
}
