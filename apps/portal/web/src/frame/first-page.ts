import { BASE_PATH, pagePath } from '../rest/base-path.js';

export const IS_CONSOLE = /^\/console(?:\/|$)/.test(pagePath());

/** Address of the page that opens first, of the portal or of the console. */
export const FIRST_PAGE = `${BASE_PATH}${IS_CONSOLE ? '/console/' : '/'}`;
