/** Pages that a sign-in leads back to, as the pages' routers name them. */
const PAGES = {
  portal: [
    '/',
    '/weeks',
    '/windows',
    '/usage',
    '/calls',
    '/refusals',
    '/disputes',
    '/reconciliation',
    '/savings',
    '/prices',
    '/budgets',
    '/api-keys',
    '/invoices',
    '/invoices/$number',
    '/credits',
    '/month',
    '/payments',
    '/statement',
    '/billing',
    '/quote',
    '/explorer',
    '/webhooks',
    '/sessions',
    '/dashboard/categories/$id',
    '/dashboard/brands/$id',
  ],
  console: [
    '/console',
    '/console/accounts',
    '/console/accounts/$id',
    '/console/accounts/$id/$part',
    '/console/calls',
    '/console/rate-cards',
    '/console/releases',
    '/console/invoices',
    '/console/invoices/$number',
    '/console/bank',
    '/console/exports',
    '/console/seller',
    '/console/webhooks',
    '/console/disputes',
    '/console/service',
    '/console/live',
    '/console/projections',
    '/console/verify',
    '/console/refusals',
    '/console/operators',
    '/console/audit',
  ],
} as const;

/** Whose pages they are: of customers or of operators. */
export type Site = keyof typeof PAGES;

export const FIRST_PAGE = { portal: '/', console: '/console' } as const;

const LENGTH_MAX = 1_000;
/** Visible ASCII. Browsers drop tabs and line feeds, and take a backslash for a slash. */
const ADDRESS = /^\/[\x21-\x5b\x5d-\x7e]*$/;
/** Neither empty, as in `//host`, nor with a dot or a percent sign. */
const SEGMENT = /^[\w~!$&'()*+,;=:@-]+$/;
const NOWHERE = 'http://nowhere.invalid';

/** Path and query of one of the site's pages; its first page for any other address. */
export function ownPage(site: Site, address: string | undefined): string {
  return findOwnPage(site, address) ?? FIRST_PAGE[site];
}

/** The same; undefined: it is no page of the site. */
export function findOwnPage(site: Site, address: string | undefined): string | undefined {
  if (address === undefined || address.length > LENGTH_MAX || !ADDRESS.test(address)) return;
  const [sent = ''] = address.split(/[?#]/, 1);
  const path = sent.replace(/(?<=[^/])\/$/, '');
  if (!PAGES[site].some((page) => isAt(page, path))) return;
  const found = path + new URL(address.slice(sent.length), NOWHERE).search;
  return found.length > LENGTH_MAX ? undefined : found;
}

function isAt(page: string, path: string): boolean {
  const [names, segments] = [page.split('/'), path.split('/')];
  if (names.length !== segments.length) return false;
  return names.every((name, index) => {
    const segment = segments[index] ?? '';
    return name.startsWith('$') ? SEGMENT.test(segment) : segment === name;
  });
}
