/** First segments of addresses that are no pages of the portal. */
const SERVED: ReadonlySet<string> = new Set([
  'portal',
  'oidc',
  'docs',
  'problems',
  'healthz',
  'readyz',
  'metrics',
]);
const CONSOLE = /^\/console(?:\/|$)/;

/** True if a path is a page of the customers' portal: every address outside of the REST. */
export function isPortalPage(path: string): boolean {
  const [, first = ''] = path.split('/', 2);
  return isPath(path) && !SERVED.has(first) && !CONSOLE.test(path);
}

/** Whether a path is a page of the operator's console. */
export function isConsolePage(path: string): boolean {
  return isPath(path) && CONSOLE.test(path);
}

/**
 * A dot is for files, and two slashes or a backslash for an address elsewhere. A percent sign in
 * the first segment would spell an address of the REST in another way; behind it stands an id or a
 * number, whatever somebody typed.
 */
function isPath(path: string): boolean {
  return /^\/[^/.%#]*(?:\/[^.#]*)?$/.test(path) && !/\\|\/\//.test(path);
}
