const SETTINGS = ['baseUrl', 'headers', 'timeoutMs', 'attempts', 'waitMsMax', 'fetch'];
/** Paths of the documentation begin so: a base URL that ends so would have it twice. */
const PATH_OF_API = /\/(?:v1|admin\/v1|admin|portal\/v1)$/;
const PREFIXES = { apiKey: 'pixadm_', token: 'pix_' } as const;
const OTHER_CLIENT = { apiKey: 'createAdminClient', token: 'createClient' } as const;

/**
 * Checks what a client is made with. `secret`: the name of its key or token. Throws a TypeError
 * that names the setting, its value and what would be right; a secret is never repeated.
 */
export function checkSettings(given: unknown, secret: 'apiKey' | 'token'): void {
  const maker = secret === 'apiKey' ? 'createClient' : 'createAdminClient';
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${maker} takes an object: ${maker}({ baseUrl, ${secret} }).`);
  }
  checkNames(given, [...SETTINGS, secret], maker);
  const { baseUrl, [secret]: value } = given as Readonly<Record<string, unknown>>;
  checkBaseUrl(baseUrl);
  if (typeof value !== 'string' || value.trim() === '') {
    throw new TypeError(
      `${secret} is ${value === '' ? 'empty' : String(value)}${UNSET} Where a server of yours ` +
        `adds it, as for a page, give any text.`,
    );
  }
  if (value.startsWith(PREFIXES[secret])) {
    const right = `${OTHER_CLIENT[secret]} takes it`;
    throw new TypeError(`${secret} begins with ${PREFIXES[secret]}, which is none: ${right}.`);
  }
}

const UNSET = ': is an environment variable not set?';

function checkBaseUrl(baseUrl: unknown): void {
  // The empty text is a page's own server.
  if (baseUrl === '' && 'location' in globalThis) return;
  const example = 'It is the address of the service, such as https://data.example.com.';
  if (typeof baseUrl !== 'string' || baseUrl === '') {
    const shown = baseUrl === '' ? 'empty' : String(baseUrl);
    throw new TypeError(`baseUrl is ${shown}${UNSET} ${example}`);
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl is "${baseUrl}", which is no http or https URL. ${example}`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new TypeError(`baseUrl is "${baseUrl}": leave out what follows "?" or "#".`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (PATH_OF_API.test(path)) {
    const right = `${url.origin}${path.replace(PATH_OF_API, '')}`;
    throw new TypeError(`baseUrl is "${baseUrl}": the client adds the path; write "${right}".`);
  }
}

/** Refuses a misspelled option, which would do nothing. Throws a TypeError that names all. */
export function checkNames(given: object, known: readonly string[], of: string): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => `"${name}"`).join(', ');
  throw new TypeError(`${of} takes no ${names}; known are ${known.join(', ')}.`);
}
