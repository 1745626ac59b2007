import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/**
 * Collects what is left of before, so that it is not collected while something is measured; of
 * the type `minor` only what is young.
 */
export const collectGarbage = runInNewContext('gc') as (how?: { readonly type: 'minor' }) => void;
