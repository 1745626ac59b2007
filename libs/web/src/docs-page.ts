import { escapeHtml, htmlPage, inlineCode } from './html.js';
import type {
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
  Schema,
} from './openapi-document.js';

/**
 * The document as one page that needs nothing else: no script, no font, no other address. Its links
 * are relative, so that they lead right also behind a proxy that takes a path away.
 */
export function docsPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description: about }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const links = own.map((one) => operationLink(one.method, one.path, one.operation));
    const parts = own.map((one) => operationPart(one.method, one.path, one.operation));
    return {
      links: `<p><a href="#${slug(name)}">${escapeHtml(name)}</a></p><ul>${links.join('')}</ul>`,
      section: `<h2 id="${slug(name)}">${escapeHtml(name)}</h2>${paragraphs(about)}${parts.join('')}`,
    };
  });
  return htmlPage(
    title,
    `<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>` +
      `${paragraphs(description)}<p><a href="./openapi.json">OpenAPI document</a> · ` +
      `<a href="./problems">Problems</a></p><nav>${groups.map(({ links }) => links).join('')}</nav>` +
      `${groups.map(({ section }) => section).join('')}${webhookSection(document)}${schemaSection(document)}`,
  );
}

function webhookSection({ webhooks = {} }: OpenApiDocument): string {
  const parts = Object.entries(webhooks).flatMap(([type, item]) =>
    Object.entries(item).map(([method, operation]) => operationPart(method, type, operation)),
  );
  if (parts.length === 0) return '';
  return `<h2 id="events">Bodies of webhooks</h2>${parts.join('')}`;
}

function operationLink(method: string, path: string, operation: Operation): string {
  const address = `<code>${method.toUpperCase()} ${escapeHtml(path)}</code>`;
  return `<li><a href="#${operation.operationId}">${address}</a> ${inlineCode(operation.summary)}</li>`;
}

function operationPart(method: string, path: string, operation: Operation): string {
  const body = Object.entries(operation.requestBody?.content ?? {});
  return (
    `<h3 id="${operation.operationId}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>` +
    `<p>${inlineCode(operation.summary)}</p>${paragraphs(operation.description ?? '')}` +
    parameterTable(operation.parameters ?? []) +
    body.map(([type, media]) => mediaPart(`Body, ${type}`, media)).join('') +
    Object.entries(operation.responses)
      .map(([status, response]) => responsePart(status, response))
      .join('')
  );
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (one) =>
      `<tr><td><code>${escapeHtml(one.name)}</code></td><td>${one.in}` +
      `${one.required ? ', required' : ''}</td><td>${inlineCode(one.description)} ` +
      `${allowedValues(one.schema)}</td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>In</th><th></th></tr>${rows.join('')}</table>`;
}

function allowedValues(schema: Schema): string {
  if (typeof schema['$ref'] === 'string') return schemaLink(schema['$ref']);
  if (!Array.isArray(schema['enum'])) return '';
  return schema['enum'].map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
}

function responsePart(status: string, response: Response): string {
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, header]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${inlineCode(header.description)}</td></tr>`,
  );
  const media = Object.entries(response.content ?? {}).map(([type, one]) => mediaPart(type, one));
  return (
    `<details><summary><span class="status">${escapeHtml(status)}</span> ` +
    `${inlineCode(response.description)}</summary>` +
    (headers.length > 0 ? `<table>${headers.join('')}</table>` : '') +
    `${media.join('')}</details>`
  );
}

function mediaPart(label: string, media: MediaType): string {
  const reference = media.schema['$ref'];
  const link = typeof reference === 'string' ? ` ${schemaLink(reference)}` : '';
  return `<p><code>${escapeHtml(label)}</code>${link}</p>${example(media.example)}`;
}

function schemaLink(reference: string): string {
  const name = reference.split('/').at(-1) ?? '';
  return `<a href="#schema-${name}">${name}</a>`;
}

function example(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return `<pre><code>${escapeHtml(text)}</code></pre>`;
}

function schemaSection(document: OpenApiDocument): string {
  const parts = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      // A browser opens the details of what a link leads to, if that is inside of them.
      `<details><summary>${escapeHtml(name)}</summary>` +
      `<pre id="schema-${name}"><code>${escapeHtml(JSON.stringify(schema, null, 2))}</code></pre></details>`,
  );
  return `<h2 id="schemas">Schemas</h2>${parts.join('')}`;
}

function paragraphs(text: string): string {
  if (text === '') return '';
  return text
    .split('\n\n')
    .map((part) => `<p>${inlineCode(part)}</p>`)
    .join('');
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
