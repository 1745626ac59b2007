import { etagOf, headersOf } from '#client/answer-headers.js';
import { Connection } from '#client/connection.js';
import { Listing, type Page } from '#client/listing.js';
import { isProblem } from '#client/problem-error.js';

/** Where a service answers, and who may do everything there. */
export interface FuzzedService {
  readonly apiUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  /** Process id of the service. */
  readonly pid: number;
  /** All that it printed, its log included. */
  readonly output: () => string;
}

type Json = Record<string, unknown>;

/** The operator and the customers as they should be: requests that have to succeed. */
export class Operator {
  private readonly admin: Connection;

  constructor(readonly service: FuzzedService) {
    this.admin = connection(`${service.adminUrl}/admin/v1`, service.adminToken);
  }

  create(path: string, body: unknown): Promise<Json> {
    return this.admin.json<Json>({ method: 'POST', path, body });
  }

  read(path: string): Promise<Json> {
    return this.admin.json<Json>({ path });
  }

  remove(path: string): Promise<void> {
    return this.admin.json({ method: 'DELETE', path });
  }

  /** A call of data; its validator comes with it. Undefined: that path has no data. */
  async call(
    path: string,
    apiKey: string,
  ): Promise<{ body: Json; etag: string; callId: string } | undefined> {
    try {
      const body = await connection(this.service.apiUrl, apiKey).json<Json>({ path });
      return { body, etag: etagOf(body), callId: headersOf(body).get('call-id') ?? '' };
    } catch (error) {
      if (isProblem(error) && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Every item of a list, page by page. */
  all(path: string): Promise<Json[]> {
    const read = (after: string | undefined) =>
      this.admin.json<Page<Json>>({ path, query: { limit: 1_000, after } });
    return new Listing(undefined, read).all();
  }
}

function connection(baseUrl: string, token: string): Connection {
  return new Connection({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}
