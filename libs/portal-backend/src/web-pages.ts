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
 * A dot is for files, a percent sign for what has been spelled in another way, and two slashes or a
 * backslash for an address elsewhere.
 */
function isPath(path: string): boolean {
  return path.startsWith('/') && !/[.%#\\]|\/\//.test(path);
}
