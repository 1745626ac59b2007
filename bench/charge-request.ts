import type { ChargeRequest } from '#account/charging.js';
import { resourceKey } from '#rating/resource-key.js';
import { benchmarkResource } from './benchmark-resources.js';

/** A call of a resource by nobody yet: it lacks what names the call and the account. */
export type UnnamedCharge = Omit<ChargeRequest, 'callId' | 'accountId' | 'notAfter'>;

/** A call of the resource of an ordinal, for `latest`, while a window runs. */
export function unnamedCharge(ordinal: number, window: string): UnnamedCharge {
  const { resource, rows } = benchmarkResource(ordinal);
  return {
    apiKey: 1,
    key: resourceKey(resource, window),
    asked: resourceKey(resource, 'latest'),
    resource,
    rows,
    window,
    release: 'r1',
    maxCredits: null,
    tags: null,
    isRetry: false,
  };
}
