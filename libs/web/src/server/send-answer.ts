import { ServerResponse, STATUS_CODES } from 'node:http';

/** How long an idle connection is kept open. */
export const KEEP_ALIVE_MS = 72_000;

/** Of an answer behind which the connection goes on, as `writeHead` would write them. */
const KEPT_OPEN = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

/** Where Node itself puts the head of an answer before it is sent. */
interface HeaderSlot {
  _header: string;
}

const date = { second: Number.NaN, line: '' };

function dateLine(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) {
    Object.assign(date, { second, line: `Date: ${new Date().toUTCString()}\r\n` });
  }
  return date.line;
}

/**
 * Answers whole. `lines`: headers, `Name: value` and a line end each, the length of a body among
 * them; no value may be anybody's text. `writeHead` takes a tenth of a call's garbage and looks at
 * each character, so the usual answer goes without it.
 */
export function sendAnswer(
  response: ServerResponse,
  status: number,
  lines: string,
  body?: Buffer | string,
): void {
  if (body === undefined || !isUsual(response)) {
    response.writeHead(status, listOf(lines)).end(body);
    return;
  }
  response.statusCode = status;
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  (response as unknown as HeaderSlot)._header = first + lines + dateLine() + KEPT_OPEN;
  response.end(body);
}

/** Neither injected, nor the last of its connection, nor with headers that were set before. */
function isUsual(response: ServerResponse): boolean {
  return (
    response.constructor === ServerResponse &&
    response.shouldKeepAlive &&
    response.getHeaderNames().length === 0
  );
}

/** Names and values in turn, as `writeHead` takes them. */
function listOf(lines: string): string[] {
  return lines.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon === -1 ? [] : [line.slice(0, colon), line.slice(colon + 2)];
  });
}
