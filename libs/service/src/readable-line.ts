interface LogLine {
  readonly level: string;
  /** RFC 3339, in UTC. */
  readonly time: string;
  readonly msg?: string;
}

/** Undefined where a secret was blanked so that it is no JSON any more. */
function parsed(json: string): LogLine | undefined {
  try {
    return JSON.parse(json) as LogLine;
  } catch {
    return undefined;
  }
}

/**
 * A JSON line of the log as a person reads it at a terminal: time of day in UTC, level, message,
 * and as JSON what else it holds. Which process it is, a terminal shows already.
 */
export function readableLine(json: string): string {
  const line = parsed(json);
  if (line === undefined) return json;
  const { level, time, msg = '', ...others } = line;
  const { process: _process, pid: _pid, ...members } = others as Record<string, unknown>;
  const clock = time.slice(11, 19);
  const more = Object.keys(members).length === 0 ? '' : ` ${JSON.stringify(members)}`;
  return `${clock} ${level.padEnd(5)} ${msg}${more}\n`;
}
