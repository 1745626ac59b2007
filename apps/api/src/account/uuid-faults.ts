import type { ParameterFault } from '#web/parameter-fault.js';
import { isUuid } from '#web/uuid.js';

/** Faults of a path segment that has to be a UUID. */
export function uuidFaults(name: string, value: string): ParameterFault[] {
  return isUuid(value) ? [] : [{ in: 'path', name, value, detail: 'A UUID.' }];
}
