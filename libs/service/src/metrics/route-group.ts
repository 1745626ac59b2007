import { RESOURCE_NAMES, type ResourceName } from '#rating/resource.js';

export type RouteGroup =
  'metered' | 'quotes' | 'account' | 'admin' | 'portal' | 'stream' | 'service';

const PUBLIC = '/v1/';
const READS = /^\/v1\/(?:account|calls|catalog)(?:[/?]|$)/;

/** Groups of routes that take about as long as each other; a label has no room for every path. */
export function routeGroup(method: string, target: string): RouteGroup {
  if (target.startsWith('/admin/')) return 'admin';
  // A stream lasts as long as its page is open: among the others it would look like a slow answer.
  if (target.startsWith('/portal/v1/events')) return 'stream';
  if (target.startsWith('/portal/')) return 'portal';
  if (!target.startsWith(PUBLIC)) return 'service';
  if (READS.test(target)) return 'account';
  if (method === 'HEAD' || target.startsWith('/v1/quotes')) return 'quotes';
  return 'metered';
}

const RESOURCES = RESOURCE_NAMES.map((name) => [name, `/${name}/`] as const);

/** Which resource a metered path asks for; `unknown` for one that is no resource's. */
export function calledResource(target: string): ResourceName | 'unknown' {
  for (const [name, segment] of RESOURCES) if (target.includes(segment)) return name;
  return 'unknown';
}
