export type Port = 'api' | 'accounting';

/** One request before it is bytes. Texts hold one character for each byte. */
export interface FuzzRequest {
  method: string;
  target: string;
  version: string;
  readonly headers: [name: string, value: string][];
  body: Buffer | null;
}

/** The request line as it was sent, with which an answer is compared. */
export interface Asked {
  readonly method: string;
  readonly target: string;
}

/** A text as the characters that its UTF-8 bytes are. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function headerOf({ headers }: FuzzRequest, name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

export function setHeader(request: FuzzRequest, name: string, value: string): void {
  dropHeader(request, name);
  request.headers.push([name, value]);
}

export function dropHeader({ headers }: FuzzRequest, name: string): void {
  for (let index = headers.length - 1; index >= 0; index -= 1) {
    if (headers[index]?.[0].toLowerCase() === name.toLowerCase()) headers.splice(index, 1);
  }
}

/** First line and headers; what frames the body has to stand among the headers already. */
export function headBytes({ method, target, version, headers }: FuzzRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, 'latin1');
}

/** A whole request whose body is framed by its true length. */
export function requestBytes(request: FuzzRequest): Buffer {
  const { body } = request;
  if (body === null) return headBytes(request);
  const headers: [string, string][] = [...request.headers, ['Content-Length', String(body.length)]];
  return Buffer.concat([headBytes({ ...request, headers }), body]);
}
