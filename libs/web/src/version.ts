import MANIFEST from '#package.json' with { type: 'json' };

/** Version of this program, as `package.json` states it: of every process, document and package. */
export const VERSION: string = MANIFEST.version;
