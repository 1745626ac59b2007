import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { SECURITY_HEADERS } from '#web/answer-headers.js';
import type { RawRoutes } from '#web/server/http-server.js';
import { pathOf } from '#web/request-target.js';
import { StaticDocument } from '#web/static-document.js';

const PAGE = '/index.html';
/** Files that the build names by their content. */
const HASHED = '/assets/';

const PAGE_HEADERS = {
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; ` +
    `font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; ` +
    `form-action 'self'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * The built front end: its files, and its one page for every address that is a page's. Nothing
 * inline runs and nothing is loaded from elsewhere.
 */
export class WebFiles implements RawRoutes {
  private readonly files: ReadonlyMap<string, StaticDocument>;

  /**
   * `folder`: of the build; where there is none, nothing is served. `isPage`: of a path.
   * `basePath`: the path that a proxy in front takes away.
   */
  constructor(
    folder: string,
    private readonly isPage: (path: string) => boolean,
    basePath = '',
  ) {
    this.files = readFiles(folder, basePath);
  }

  takes(method: string, target: string): boolean {
    return this.methodsOf(pathOf(target)).includes(method);
  }

  methodsOf(path: string): readonly string[] {
    return this.find(path) === undefined ? [] : ['GET', 'HEAD'];
  }

  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    always: readonly string[],
  ): void {
    const file = this.find(pathOf(target));
    if (file === undefined) throw new Error(`There is no file at ${pathOf(target)}.`);
    for (let at = 0; at < always.length; at += 2) {
      response.setHeader(always[at] ?? '', always[at + 1] ?? '');
    }
    this.send(request, response, file).catch(() => response.destroy());
  }

  private find(path: string): StaticDocument | undefined {
    if (path !== PAGE && this.files.has(path)) return this.files.get(path);
    return this.isPage(path) ? this.files.get(PAGE) : undefined;
  }

  private async send(
    { method, headers: asked }: IncomingMessage,
    response: ServerResponse,
    file: StaticDocument,
  ): Promise<void> {
    const { status, headers, body } = await file.answer(asked);
    response.writeHead(status, { ...headers, 'request-id': randomUUID(), ...SECURITY_HEADERS });
    response.end(method === 'HEAD' ? undefined : body);
  }
}

function headersOf(type: string, address: string) {
  if (!type.startsWith('text/html')) {
    return { 'content-type': type, 'cache-control': cacheControl(address) };
  }
  return { 'content-type': type, 'cache-control': 'no-store', ...PAGE_HEADERS };
}

function cacheControl(path: string): string {
  return path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
}

function readFiles(folder: string, basePath: string): ReadonlyMap<string, StaticDocument> {
  const files = new Map<string, StaticDocument>();
  for (const entry of entriesOf(folder)) {
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const type = TYPES[path.extname(entry.name)];
    if (type === undefined) continue;
    const bytes = readFileSync(file);
    // The page stands at addresses of any depth, where nothing can be relative.
    const sent = address === PAGE ? String(bytes).replaceAll('="./', `="${basePath}/`) : bytes;
    files.set(address, new StaticDocument(sent, headersOf(type, address)));
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  } catch (error) {
    // A checkout whose front end was not built serves the REST alone.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
