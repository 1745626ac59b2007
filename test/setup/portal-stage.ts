import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { importRelease } from '#popularity/import-release.js';
import { PostgresReleases } from '#popularity/postgres-releases.js';
import { GOOD_FILES, releaseDirectory } from '#popularity/release-files.suite.js';
import { terms } from '#account/scenario.suite.js';
import type { MailSettings } from '#deliveries/send-mail.js';
import type { OidcSettings } from '#web/configuration.js';
import { gracefulClose } from '#web/server/graceful-close.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { OpenApiMatcher } from './openapi-matcher.js';
import { AdminStage, idOf, type Answered } from './admin-stage.js';
import { jsonOf, type Method } from './asked.js';
import { NO_API } from './stage-settings.js';
import { createPortal } from '../../apps/accounting/src/portal.js';
import { accountingServices } from '../../apps/accounting/src/services.js';
import { portalDocument } from '#portal-backend/portal-document.js';

export const PORTAL = 'https://portal.example.com';
const BASE_URL = 'https://api.example.com';
const CLOSE_MS = 5_000;

export interface AskedOfPortal {
  readonly body?: unknown;
  /** Of whoever is signed in; absent: nobody. */
  readonly cookie?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The customers' portal beside an admin REST, on a database of its own with a small release. */
export class PortalStage {
  readonly matcher = OpenApiMatcher.made(portalDocument, BASE_URL);
  readonly document: OpenApiDocument = this.matcher.document;

  private constructor(
    readonly admin: AdminStage,
    readonly app: NestFastifyApplication,
  ) {}

  /**
   * `apiUrl`: where pulls go. `webFolder`: of the built front end. `oidc`: where members sign in.
   * `mail`: who sends their links.
   */
  static async open({
    apiUrl = NO_API,
    webFolder = '/nowhere',
    oidc = null as OidcSettings | null,
    mail = null as MailSettings | null,
  } = {}): Promise<PortalStage> {
    const admin = await AdminStage.open(undefined, mail);
    const releases = await importedReleases(admin);
    const own = admin.runtime();
    const runtime = {
      ...own,
      configuration: { ...own.configuration, oidc },
      releases,
      apiUrl,
    };
    const app = await createPortal(runtime, accountingServices(runtime), webFolder);
    return new PortalStage(admin, app);
  }

  async close(): Promise<void> {
    await gracefulClose(this.app, CLOSE_MS);
    await this.admin.close();
  }

  /** Asks as a page of the portal does and holds the answer against the document. */
  async ask(method: Method, url: string, asked: AskedOfPortal = {}): Promise<Answered> {
    const { body, cookie, key, headers } = asked;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const response = await this.app.inject({
      method,
      url,
      headers: {
        origin: PORTAL,
        'x-requested-with': 'portal',
        ...(cookie !== undefined && { cookie }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const { statusCode: status, headers: sent, body: text } = response;
    this.matcher.expect({ method, url, status, headers: sent, body: text });
    const json = jsonOf(sent['content-type'], text);
    return { status, headers: sent, text, bytes: response.rawPayload, json };
  }

  get(path: string, cookie: string): Promise<Answered> {
    return this.ask('GET', `/portal/v1${path}`, { cookie });
  }

  post(path: string, cookie: string, body?: unknown, key?: string): Promise<Answered> {
    const asked = {
      cookie,
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
    };
    return this.ask('POST', `/portal/v1${path}`, asked);
  }

  /** The token of a new link, and the session's id. */
  async link(accountId: string, body: object = {}): Promise<{ id: string; token: string }> {
    const made = await this.admin.post(`/accounts/${accountId}/portal-sessions`, body);
    const url = new URL(String(made.json['url']));
    return { id: idOf(made), token: url.hash.replace('#token=', '') };
  }

  /** Opens a link; answers the cookie that pages send from then on. */
  async signIn(accountId: string, role: 'viewer' | 'manager' = 'manager'): Promise<string> {
    const { token } = await this.link(accountId, { role });
    const { headers, text } = await this.ask('POST', '/portal/v1/session', { body: { token } });
    const [cookie] = String(headers['set-cookie']).split(';');
    if (cookie === undefined || !cookie.includes('=')) throw new Error(text);
    return cookie;
  }
}

async function importedReleases({ pool, stream, now }: AdminStage): Promise<PostgresReleases> {
  const { directory, remove } = await releaseDirectory(GOOD_FILES);
  const clock = { now: () => now };
  const parts = { pool, stream, windows: terms.calendar, clock };
  const imported = await importRelease(parts, directory);
  await remove();
  if (imported.outcome !== 'published') throw new Error(JSON.stringify(imported));
  const dashboardUrl = `${PORTAL}/dashboard`;
  const releases = new PostgresReleases({ pool, stream, dashboardUrl });
  await releases.refresh();
  return releases;
}
