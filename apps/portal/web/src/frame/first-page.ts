export const IS_CONSOLE = /^\/console(?:\/|$)/.test(location.pathname);

/** Address of the page that opens first, of the portal or of the console. */
export const FIRST_PAGE = IS_CONSOLE ? '/console/' : '/';
