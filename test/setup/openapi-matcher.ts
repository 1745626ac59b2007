import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type {
  Header,
  OpenApiDocument,
  Operation,
  Response,
  Schema,
} from '#web/openapi-document.js';
import { problemSchemaName } from '#web/problem-names.js';
import { PROBLEMS, type ProblemSlug } from '#web/problem.js';

/** An answer, and what it answers. Header names in any case; `url` as sent, with its query. */
export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body: string;
}

const PROBLEM_TYPE = 'application/problem+json';
const DOCUMENT = 'document';

type MakeDocument = (baseUrl: string) => OpenApiDocument;

/**
 * Compares answers with an OpenAPI document: `matcher.faults(answer)` is empty when the answer is
 * exactly what the document promises, and `matcher.expect(answer)` throws what is wrong with it.
 */
export class OpenApiMatcher {
  static readonly #known = new Map<string, OpenApiMatcher>();
  static readonly #made = new Map<MakeDocument, Map<string, OpenApiMatcher>>();
  readonly #compiled = new Map<string, ValidateFunction>();
  // Most schemas are checked a few times only: to compile them well costs more than it saves.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });

  private constructor(readonly document: OpenApiDocument) {
    ajvFormats.default(this.#ajv);
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /** The same for equal documents: schemas are compiled once for all specs of a worker. */
  static of(document: OpenApiDocument): OpenApiMatcher {
    const text = JSON.stringify(document);
    const matcher = OpenApiMatcher.#known.get(text) ?? new OpenApiMatcher(document);
    OpenApiMatcher.#known.set(text, matcher);
    return matcher;
  }

  /** Of the document of an interface, which is made once for all specs of a worker. */
  static made(make: MakeDocument, baseUrl: string): OpenApiMatcher {
    const made = OpenApiMatcher.#made.get(make) ?? new Map<string, OpenApiMatcher>();
    OpenApiMatcher.#made.set(make, made);
    const matcher = made.get(baseUrl) ?? OpenApiMatcher.of(make(baseUrl));
    made.set(baseUrl, matcher);
    return matcher;
  }

  expect(answer: SeenAnswer): void {
    const faults = this.faults(answer);
    if (faults.length === 0) return;
    const what = `${answer.method} ${answer.url.slice(0, 200)} → ${answer.status}`;
    throw new Error(`${what}\n${faults.join('\n')}\n${answer.body.slice(0, 500)}`);
  }

  faults(answer: SeenAnswer): string[] {
    const faults = [...this.#identified(answer), ...this.#problemFaults(answer)];
    const item = this.#pathItem(answer.url);
    // A method is case-sensitive: `get` is none of the document's.
    const method = /[a-z]/.test(answer.method) ? 'unknown' : answer.method.toLowerCase();
    const operation = item?.[method] ?? (method === 'head' ? item?.['get'] : undefined);
    if (!operation) return [...faults, ...this.#outside(answer)];
    const response = operation.responses[String(answer.status)];
    if (!response) {
      const known = Object.keys(operation.responses).join(', ');
      return [...faults, `status ${answer.status} is not documented (${known})`];
    }
    return [...faults, ...this.#headers(answer, response), ...this.#body(answer, response)];
  }

  /** Faults of a value by a schema of the document. `what`: the name of the value. */
  check(schema: Schema, value: unknown, what: string): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`);
    const validate = this.#compile(text);
    if (validate(value)) return [];
    return (validate.errors ?? []).map((one) => `${what}${one.instancePath} ${one.message}`);
  }

  #identified(answer: SeenAnswer): string[] {
    const id = valueOf(answer, 'request-id');
    return id && /^[0-9a-f-]{36}$/.test(id) ? [] : ['the header Request-Id is missing'];
  }

  /** Every refusal is a whole problem, documented at its route or not. */
  #problemFaults(answer: SeenAnswer): string[] {
    if (answer.status < 400 || (answer.status === 503 && answer.url.startsWith('/readyz')))
      return [];
    const faults: string[] = [];
    if (typeOf(answer) !== PROBLEM_TYPE) faults.push(`type ${typeOf(answer)} of a refusal`);
    if (valueOf(answer, 'cache-control') !== 'no-store') faults.push('a refusal may be kept');
    if (answer.method === 'HEAD') return faults;
    if (!answer.body.endsWith('\n')) faults.push('the problem does not end with a line end');
    const body = JSON.parse(answer.body) as { code: ProblemSlug; status: number; instance: string };
    if (!Object.hasOwn(PROBLEMS, body.code)) return [...faults, `unknown code ${body.code}`];
    if (body.status !== answer.status) faults.push(`status ${body.status} in the body`);
    if (body.instance !== `urn:uuid:${valueOf(answer, 'request-id')}`) faults.push('instance');
    const schema = { $ref: `#/components/schemas/${problemSchemaName(body.code)}` };
    return [...faults, ...this.check(schema, body, 'problem')];
  }

  /** Answers of no documented operation: unknown addresses and methods, OPTIONS. */
  #outside(answer: SeenAnswer): string[] {
    if (answer.method === 'OPTIONS' && answer.status === 204) {
      return valueOf(answer, 'allow') ? [] : ['the header Allow is missing'];
    }
    if (answer.status === 405 && !valueOf(answer, 'allow')) return ['the header Allow is missing'];
    if (answer.status === 302 && valueOf(answer, 'location')) return [];
    return answer.status >= 400 && answer.status < 500 ? [] : ['the address is not documented'];
  }

  #headers(answer: SeenAnswer, response: Response): string[] {
    return Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const value = valueOf(answer, name.toLowerCase());
      if (value !== undefined)
        return this.check(header.schema, read(value, header), `header ${name}`);
      // Headers of one status with several problems belong to some of them only.
      return header.required && answer.status < 400 ? [`the header ${name} is missing`] : [];
    });
  }

  #body(answer: SeenAnswer, response: Response): string[] {
    if (answer.method === 'HEAD') return answer.body === '' ? [] : ['a HEAD has a body'];
    if (!response.content) return answer.body === '' ? [] : ['there is a body'];
    const media = response.content[typeOf(answer)];
    if (!media) return [`type ${typeOf(answer)} is not documented`];
    const json = /[/+]json$/.test(typeOf(answer));
    if (json && !answer.body.endsWith('\n')) return ['the JSON does not end with a line end'];
    return this.check(media.schema, json ? JSON.parse(answer.body) : answer.body, 'body');
  }

  #compile(text: string): ValidateFunction {
    const known = this.#compiled.get(text);
    const validate = known ?? this.#ajv.compile(JSON.parse(text) as object);
    this.#compiled.set(text, validate);
    return validate;
  }

  /** The path with most literal segments wins, as OpenAPI has it. */
  #pathItem(url: string): Readonly<Record<string, Operation>> | undefined {
    const segments = (url.split('?')[0] ?? '').split('/');
    const candidates = Object.entries(this.document.paths)
      .map(([path, item]) => ({ parts: path.split('/'), item }))
      .filter(({ parts }) => parts.length === segments.length)
      .filter(({ parts }) =>
        parts.every((part, index) => {
          const segment = segments[index] ?? '';
          return part.startsWith('{') ? segment !== '' : part === segment;
        }),
      )
      .toSorted((one, two) => literals(two.parts) - literals(one.parts));
    return candidates[0]?.item as Readonly<Record<string, Operation>> | undefined;
  }
}

function literals(parts: readonly string[]): number {
  return parts.filter((part) => !part.startsWith('{')).length;
}

function valueOf(answer: SeenAnswer, name: string): string | undefined {
  const found = Object.entries(answer.headers).find(([key]) => key.toLowerCase() === name);
  return found?.[1]?.toString();
}

function typeOf(answer: SeenAnswer): string {
  return (valueOf(answer, 'content-type') ?? '').split(';')[0]?.trim() ?? '';
}

function read(value: string, header: Header): unknown {
  return header.schema['type'] === 'integer' ? Number(value) : value;
}
