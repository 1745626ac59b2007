import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** Facts of the operating system about another process. Nothing here signals one. */

function outputOf(command: string, args: readonly string[]): string | undefined {
  try {
    const output = execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    return output.toString('utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function windowsProperty(pid: number, expression: string): string | undefined {
  const query = `$p = Get-CimInstance Win32_Process -Filter "ProcessId=${pid}"; ${expression}`;
  return outputOf('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]);
}

/** Fields of /proc/PID/stat after the program's name, which may itself hold blanks and brackets. */
function linuxStat(pid: number): string[] | undefined {
  const stat = procFile(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** False for no process and for one that has ended but was not collected by its parent. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    const state = linuxStat(pid)?.[0];
    return state !== undefined && state !== 'Z' && state !== 'X';
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * A text that two processes with the same id never share: the moment it started. Undefined when
 * there is no such process or it cannot be known.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const ticks = linuxStat(pid)?.[19];
    if (ticks === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
  }
  if (process.platform === 'win32') return windowsProperty(pid, '$p.CreationDate.Ticks');
  return outputOf('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** A process as others can recognize it later, although ids are used again. */
export interface ProcessMark {
  readonly pid: number;
  /** The moment it started; null where it cannot be known. */
  readonly started: string | null;
}

export function markOfThisProcess(): ProcessMark {
  return { pid: process.pid, started: startOf(process.pid) ?? null };
}

/** Whether the process that has left a mark is still there. */
export function isMarkAlive({ pid, started }: ProcessMark): boolean {
  if (!isAlive(pid)) return false;
  const now = startOf(pid);
  return started === null || now === undefined || now === started;
}

/** The command line, arguments separated by blanks; undefined when there is no such process. */
export function commandOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    return procFile(pid, 'cmdline')?.replaceAll('\0', ' ').trim() || undefined;
  }
  if (process.platform === 'win32') return windowsProperty(pid, '$p.CommandLine');
  return outputOf('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
}

/** The folder a process works in, where the system reports it (Linux); else undefined. */
export function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
