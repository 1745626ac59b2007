import { fileURLToPath } from 'node:url';

/** Where the build of the front end stands beside the build of the service. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../portal', import.meta.url));
