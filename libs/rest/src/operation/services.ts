import type { Resource } from './operation.js';

/** Services of a process by any names: a resource finds its own by the class that it states. */
export type Services = Readonly<Record<string, unknown>>;

/** The service of a resource. Throws where none of its class was made. */
export function serviceOf({ service, operations }: Resource, services: Services): unknown {
  const found = Object.values(services).find((one) => one instanceof service);
  if (found !== undefined) return found;
  const ids = operations.map(({ id }) => id).join(', ');
  throw new Error(`No ${service.name} was made for the operations ${ids}.`);
}
