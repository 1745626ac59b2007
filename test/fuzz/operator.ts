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

/** The operator and the customers as they should be: requests whose success is taken for granted. */
export class Operator {
  constructor(readonly service: FuzzedService) {}

  async create(path: string, body: unknown): Promise<Json> {
    return this.ask(`${this.service.adminUrl}/admin/v1${path}`, this.service.adminToken, body);
  }

  async read(path: string): Promise<Json> {
    return this.ask(`${this.service.adminUrl}/admin/v1${path}`, this.service.adminToken);
  }

  async remove(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.service.adminToken}` };
    const url = `${this.service.adminUrl}/admin/v1${path}`;
    const response = await fetch(url, { method: 'DELETE', headers });
    if (!response.ok) throw new Error(`DELETE ${path}: ${await response.text()}`);
  }

  /** A call of data; its validator comes with it. Undefined: that path has no data. */
  async call(
    path: string,
    apiKey: string,
  ): Promise<{ body: Json; etag: string; callId: string } | undefined> {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${this.service.apiUrl}${path}`, { headers });
    if (response.status === 404) return void (await response.text());
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    const { headers: got } = response;
    return {
      body: (await response.json()) as Json,
      etag: got.get('etag') ?? '',
      callId: got.get('call-id') ?? '',
    };
  }

  /** Every item of a list, page by page. */
  async all(path: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let after = ''; ;) {
      const page = await this.read(`${path}?limit=1000${after}`);
      items.push(...(page['items'] as Json[]));
      if (typeof page['next'] !== 'string') return items;
      after = `&after=${page['next']}`;
    }
  }

  private async ask(url: string, token: string, body?: unknown): Promise<Json> {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  }
}
