import type { OpenApiDocument, Operation, Parameter } from '#web/openapi-document.js';
import type { Prng } from '../simulator/prng.js';
import { bytesOf, type FuzzRequest, type Port } from './fuzz-request.js';
import type { Bait } from './framing.js';
import type { Persona, Scene } from './scene.js';
import { SchemaValues } from './schema-value.js';

interface Choice {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const PARAMETER_CHANCE = 0.3;
const TAGS = ['team=nails', 'team=nails, project=autumn', 'a=1'];

/** Requests that one document describes, for one of its services. They are valid. */
export class RequestSource {
  readonly #choices: readonly Choice[];
  readonly #values: SchemaValues;

  constructor(
    private readonly port: Port,
    private readonly scene: Scene,
    private readonly adminToken: string,
  ) {
    const document = scene.documents[port];
    this.#choices = choicesOf(document);
    const { call_id: calls = [], key_id: keys = [] } = scene.values;
    this.#values = new SchemaValues(document, [...calls, ...keys]);
  }

  /** `hasty`: in the name of who does not wait for answers. */
  request(prng: Prng, hasty: boolean): FuzzRequest {
    const persona = hasty ? this.scene.hasty : choosePersona(this.scene.personas, prng);
    const token = this.port === 'api' ? persona.apiKey : this.adminToken;
    const request: FuzzRequest = {
      method: 'GET',
      target: '/',
      version: 'HTTP/1.1',
      headers: [
        ['Host', 'popindex.test'],
        ['Authorization', `Bearer ${token}`],
      ],
      body: null,
    };
    if (this.port === 'api' && prng.chance(0.45)) return this.#served(request, prng);
    return this.#described(request, prng, hasty);
  }

  /** Requests to hide inside of bodies; effects of the forbidden ones are searched at the end. */
  bait(prng: Prng): Bait {
    const harmless = 'GET /healthz HTTP/1.1\r\nHost: popindex.test\r\n\r\n';
    const { apiKey, accountId } = this.scene.hidden;
    const forbidden =
      this.port === 'api'
        ? baitBytes(`GET ${prng.pick(this.scene.paths).path}`, apiKey)
        : baitBytes(`POST /admin/v1/accounts/${accountId}/suspend`, this.adminToken);
    return { forbidden, harmless: Buffer.from(harmless) };
  }

  /** A metered path that is served, perhaps with the headers that belong to a call. */
  #served(request: FuzzRequest, prng: Prng): FuzzRequest {
    const { path, etag } = prng.pick(this.scene.paths);
    request.target = path;
    if (prng.chance(0.1)) request.method = 'HEAD';
    if (prng.chance(0.15)) request.headers.push(['If-None-Match', etag]);
    if (prng.chance(0.2)) request.headers.push(['Accept-Encoding', prng.pick(['gzip', 'br', '*'])]);
    if (prng.chance(0.1)) request.headers.push(['Credits-Max', prng.pick(['10', '34', '2000'])]);
    if (prng.chance(0.1)) request.headers.push(['Credits-Tag', prng.pick(TAGS)]);
    if (prng.chance(0.1)) request.headers.push(['Idempotency-Key', `retry-${prng.below(40)}`]);
    return request;
  }

  #described(request: FuzzRequest, prng: Prng, hasty: boolean): FuzzRequest {
    const { method, path, operation } = prng.pick(this.#choices);
    const parameters = operation.parameters ?? [];
    request.method = method.toUpperCase();
    const query: string[] = [];
    let target = path;
    for (const parameter of parameters) {
      const { name, in: place } = parameter;
      if (place !== 'path' && !prng.chance(PARAMETER_CHANCE)) continue;
      const text = this.#text(parameter, prng, hasty);
      if (place === 'path') target = target.replace(`{${name}}`, text);
      else if (place === 'query') query.push(`${name}=${encodeURIComponent(text)}`);
      else request.headers.push([name, bytesOf(text)]);
    }
    request.target = query.length > 0 ? `${target}?${query.join('&')}` : target;
    this.#addBody(request, operation, prng);
    if (prng.chance(0.1)) request.headers.push(['Accept', prng.pick(['text/csv', '*/*'])]);
    return request;
  }

  #text({ name, schema }: Parameter, prng: Prng, hasty: boolean): string {
    if (name === 'account_id') {
      return hasty ? this.scene.hastyAccount : prng.pick(this.scene.accounts);
    }
    if (name === 'Idempotency-Key') return `change-${prng.below(60)}`;
    if (name === 'Credits-Tag') return prng.pick(TAGS);
    const known = this.scene.values[name];
    return known ? prng.pick(known) : String(this.#values.value(schema, prng));
  }

  #addBody(request: FuzzRequest, { requestBody }: Operation, prng: Prng): void {
    const media = requestBody?.content['application/json'];
    if (media === undefined) return;
    const value =
      media.example !== undefined && prng.chance(0.4)
        ? media.example
        : this.#values.value(media.schema, prng);
    request.body = Buffer.from(JSON.stringify(this.#withPaths(value, prng)));
    request.headers.push(['Content-Type', 'application/json']);
  }

  /** Quotes name paths: some of them are to be real ones. */
  #withPaths(value: unknown, prng: Prng): unknown {
    if (typeof value !== 'object' || value === null || !('urls' in value)) return value;
    const count = prng.chance(0.02) ? 1_000 : 1 + prng.below(5);
    return { urls: Array.from({ length: count }, () => prng.pick(this.scene.paths).path) };
  }
}

function baitBytes(line: string, token: string): Buffer {
  const head = `${line} HTTP/1.1\r\nHost: popindex.test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return Buffer.from(head, 'latin1');
}

function choicesOf(document: OpenApiDocument): Choice[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function choosePersona(personas: readonly Persona[], prng: Prng): Persona {
  const total = personas.reduce((sum, { share }) => sum + share, 0);
  let left = prng.below(total);
  for (const persona of personas) {
    left -= persona.share;
    if (left < 0) return persona;
  }
  throw new RangeError('The shares do not add up.');
}
