import type { ClientRequest, QueryValue } from './connection.js';

/** A read with the values of its path and query. `Answer` is only a type. */
export interface Read<Answer> extends ClientRequest {
  /** The `operationId`. */
  readonly id: string;
  readonly answer?: Answer;
}

/** The same of what sends a body. `Body` is only a type. */
export interface Command<Answer, Body = undefined> extends Read<Answer> {
  readonly takes?: Body;
}

type Given = Readonly<Record<string, QueryValue>>;

/**
 * The operations of an interface by their ids. `table`: method and path of each, which the build
 * writes from the documents. An operation takes the values of its path and query in one object.
 */
export function operationsAt<Operations>(table: Readonly<Record<string, string>>): Operations {
  const operations = Object.entries(table).map(([id, place]) => [
    id,
    (given: Given = {}) => askedOf(id, place, given),
  ]);
  return Object.fromEntries(operations) as Operations;
}

function askedOf(id: string, place: string, given: Given): Read<unknown> {
  const [method = '', template = ''] = place.split(' ');
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete query[name];
    return encodeURIComponent(String(given[name]));
  });
  return { id, method, path, query };
}
