import type { Endpoint } from '../src/endpoints.js';
import { operationsOf, type DescribedInterface, type PlacedOperation } from './described.js';
import { methodNames } from './method-names.js';

/** An endpoint with the operation that it was made of. */
export interface MadeEndpoint extends PlacedOperation {
  readonly endpoint: Endpoint;
}

const JSON_TYPE = 'application/json';
/** Signing in and out is for pages. */
const OF_PAGES = /\/session$/;

/** The endpoints of an interface without data and prices, which have methods of their own. */
export function endpointsOf(document: DescribedInterface, prefix: string): MadeEndpoint[] {
  const placed = operationsOf(document, prefix).filter(
    (one) => !isMetered(one) && !isPrice(one) && !OF_PAGES.test(one.path),
  );
  const names = methodNames(placed.map(({ operation }) => operation.operationId));
  return placed.map((one) => ({
    ...one,
    endpoint: endpointOf(one, names.get(one.operation.operationId) ?? ''),
  }));
}

/** Whether it reads data, or asks what that would cost. */
export function isMetered({ parameters }: PlacedOperation): boolean {
  return parameters.some(({ name }) => name === 'Credits-Max');
}

function isPrice({ operation }: PlacedOperation): boolean {
  return operation.operationId === 'quote';
}

function endpointOf(
  { path, method, operation, parameters, content }: PlacedOperation,
  name: string,
): Endpoint {
  const isFile = !(JSON_TYPE in content) && Object.keys(content).length > 0;
  return {
    name,
    method: method.toUpperCase() as Endpoint['method'],
    path,
    ...(operation.requestBody && { hasBody: true }),
    ...(parameters.some((one) => one.in === 'query') && { hasQuery: true }),
    ...(isFile ? { answer: 'stream' } : isList(method, content) && { answer: 'list' }),
    ...(!isFile && Object.keys(content).length > 1 && { hasTypes: true }),
  };
}

/** Whether an answer is a page of a list. */
function isList(method: string, content: PlacedOperation['content']): boolean {
  const name = (content[JSON_TYPE]?.schema as { readonly $ref?: string } | undefined)?.$ref;
  return method === 'get' && name?.endsWith('List') === true;
}
