import { foundationPaths, SERVICE_TAG } from '#web/foundation-paths.js';
import {
  LICENSE,
  type OpenApiDocument,
  type PathItem,
  type Schema,
} from '#web/openapi-document.js';
import { problemSchemas } from '#web/problem-schemas.js';
import { describeOperations } from './operation/document.js';
import type { Interface } from './operation/interfaces.js';
import { RESOURCES } from './resources.js';

type Paths = Readonly<Record<string, PathItem>>;
type Schemas = Readonly<Record<string, Schema>>;

/** The parts of a document beside the operations of its interface. */
interface DocumentParts extends Pick<OpenApiDocument['info'], 'title' | 'version' | 'description'> {
  /** `/` unless given. */
  readonly serverUrl?: string;
  readonly tags: OpenApiDocument['tags'];
  readonly securitySchemes: OpenApiDocument['components']['securitySchemes'];
  /** Paths that are no operations, in front of them. */
  readonly metered?: { readonly paths: Paths; readonly schemas: Schemas };
  readonly received?: { readonly webhooks: Paths; readonly schemas: Schemas };
}

/** The OpenAPI document of an interface. `baseUrl`: where the pages of problems are. */
export function interfaceDocument(
  to: Interface,
  baseUrl: string,
  given: DocumentParts,
): OpenApiDocument {
  const { title, version, description, serverUrl = '/', tags, metered, received } = given;
  const described = describeOperations(to, RESOURCES, baseUrl);
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description,
      license: LICENSE,
      contact: { name: 'Popindex', url: baseUrl },
    },
    servers: [{ url: serverUrl }],
    tags: [...tags, SERVICE_TAG],
    paths: { ...metered?.paths, ...described.paths, ...foundationPaths(baseUrl) },
    ...(received && { webhooks: received.webhooks }),
    components: {
      schemas: {
        ...metered?.schemas,
        ...described.schemas,
        ...received?.schemas,
        ...problemSchemas(),
      },
      securitySchemes: given.securitySchemes,
    },
  };
}
