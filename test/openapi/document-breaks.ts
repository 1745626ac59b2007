import type { MediaType, Operation, Parameter, PathItem } from '#web/openapi-document.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { expandedDocument } from '../setup/expanded-document.js';
import { type Direction, SchemaBreaks } from './schema-breaks.js';

type Contents = Readonly<Record<string, MediaType>>;

/**
 * Every difference between two documents that would break a client of the first, by the rules of
 * `docs/versions.md`; empty when the second may be served in its place.
 */
export function documentBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const [old, young] = [expandedDocument(before), expandedDocument(after)];
  const breaks = new DocumentBreaks(
    new SchemaBreaks(old.components.schemas, young.components.schemas),
  );
  return [
    ...breaks.ofItems(old.paths, young.paths),
    ...breaks.ofItems(old.webhooks ?? {}, young.webhooks ?? {}, 'answer'),
  ];
}

class DocumentBreaks {
  constructor(private readonly schemas: SchemaBreaks) {}

  /** `sent`: who sends the bodies of the requests. */
  ofItems(
    before: Readonly<Record<string, PathItem>>,
    after: Readonly<Record<string, PathItem>>,
    sent: Direction = 'request',
  ): string[] {
    return Object.entries(before).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        const at = `${method.toUpperCase()} ${path}`;
        const young = (after[path] as Readonly<Record<string, Operation>> | undefined)?.[method];
        return young ? this.ofOperation(operation, young, at, sent) : [`${at}: is removed`];
      }),
    );
  }

  private ofOperation(before: Operation, after: Operation, at: string, sent: Direction): string[] {
    const isRenamed = before.operationId !== after.operationId;
    const isNew = before.requestBody === undefined && after.requestBody?.required === true;
    const isRequired = before.requestBody?.required === false && after.requestBody?.required;
    return [
      ...(isRenamed ? [`${at}: is called ${after.operationId} now`] : []),
      ...(isNew || isRequired === true ? [`${at}: requires a body now`] : []),
      ...this.ofParameters(before.parameters ?? [], after.parameters ?? [], at, sent),
      ...this.ofContents(before.requestBody?.content, after.requestBody?.content, at, sent),
      ...this.ofAnswers(before, after, at),
    ];
  }

  private ofParameters(
    before: readonly Parameter[],
    after: readonly Parameter[],
    at: string,
    sent: Direction,
  ): string[] {
    const placeOf = ({ in: place, name }: Parameter) => `${place} ${name}`;
    const olds = new Map(before.map((one) => [placeOf(one), one]));
    const youngs = new Map(after.map((one) => [placeOf(one), one]));
    const added = after.filter(
      (one) => one.required === true && olds.get(placeOf(one))?.required !== true,
    );
    return [
      ...(sent === 'answer' ? [] : added).map((one) => `${at} ${placeOf(one)}: is required now`),
      ...before.flatMap((one) => {
        const young = youngs.get(placeOf(one));
        const where = `${at} ${placeOf(one)}`;
        if (young === undefined) return [`${where}: is removed`];
        return this.schemas.of(one.schema, young.schema, sent, where);
      }),
    ];
  }

  private ofContents(
    before: Contents = {},
    after: Contents = {},
    at: string,
    direction: Direction,
  ): string[] {
    return Object.entries(before).flatMap(([type, media]) => {
      const young = after[type];
      if (young === undefined) return [`${at} ${type}: is removed`];
      return this.schemas.of(media.schema, young.schema, direction, `${at} ${type} `);
    });
  }

  /** Of refusals only the shape of a code is compared: clients take codes that they do not know. */
  private ofAnswers(before: Operation, after: Operation, at: string): string[] {
    const good = Object.entries(before.responses).filter(([status]) => /^[23]/.test(status));
    return good.flatMap(([status, response]) => {
      const where = `${at} ${status}`;
      const young = after.responses[status];
      if (young === undefined) return [`${where}: is removed`];
      const headers = Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
        const other = young.headers?.[name];
        if (other === undefined) return [`${where} header ${name}: is removed`];
        const isLess = header.required === true && other.required !== true;
        return isLess ? [`${where} header ${name}: may be absent now`] : [];
      });
      return [...headers, ...this.ofContents(response.content, young.content, where, 'answer')];
    });
  }
}
