import { buildAdminClient, buildClient, type ClientSettings } from './build-clients.js';

const API = { baseUrl: 'https://data.example.com', apiKey: 'pix_live_secret' };
const make = (given: unknown) => () => buildClient(given as ClientSettings, []);

describe('the settings of a client', () => {
  it.each<[unknown, string]>([
    [undefined, 'createClient takes an object: createClient({ baseUrl, apiKey }).'],
    [
      'https://data.example.com',
      'createClient takes an object: createClient({ baseUrl, apiKey }).',
    ],
    [{ ...API, baseUrl: undefined }, 'baseUrl is undefined: is an environment variable not set?'],
    [{ ...API, baseUrl: '' }, 'baseUrl is empty: is an environment variable not set?'],
    [
      { ...API, baseUrl: 'localhost:3000' },
      'baseUrl is "localhost:3000", which is no http or https URL.',
    ],
    [{ ...API, baseUrl: 'data.example.com' }, 'baseUrl is "data.example.com", which is no http'],
    [
      { ...API, baseUrl: `${API.baseUrl}/v1/` },
      'the client adds the path; write "https://data.example.com".',
    ],
    [{ ...API, baseUrl: `${API.baseUrl}/x/admin/v1` }, 'write "https://data.example.com/x".'],
    [{ ...API, baseUrl: `${API.baseUrl}/?a=1` }, 'leave out what follows "?" or "#".'],
    [{ baseUrl: API.baseUrl }, 'apiKey is undefined: is an environment variable not set?'],
    [{ ...API, apiKey: '' }, 'apiKey is empty: is an environment variable not set?'],
    [
      { ...API, apiKey: 'pixadm_secret' },
      'apiKey begins with pixadm_, which is none: createAdminClient takes it.',
    ],
    [
      { ...API, timeout: 1, retries: 2 },
      'createClient takes no "timeout", "retries"; known are baseUrl,',
    ],
  ])('that are wrong are named at once, with what would be right: %j', (given, message) => {
    expect(make(given)).toThrow(TypeError);
    expect(make(given)).toThrow(message);
    expect(make(given)).not.toThrow('secret');
  });

  it.each(['https://data.example.com', 'http://127.0.0.1:3000/', 'https://example.com/popindex/'])(
    'may begin with %s',
    (baseUrl) => {
      expect(make({ ...API, baseUrl })).not.toThrow();
    },
  );

  it('of the admin REST are checked alike', () => {
    const { baseUrl } = API;
    const admin = (given: object) => () => buildAdminClient({ baseUrl, ...given } as never, []);
    expect(admin({})).toThrow('token is undefined');
    expect(admin({ token: 'pix_live_x' })).toThrow(
      'token begins with pix_, which is none: createClient',
    );
    expect(admin({ token: 't', apiKey: 'k' })).toThrow('createAdminClient takes no "apiKey"');
    expect(admin({ token: 'pixadm_x' })).not.toThrow();
  });
});

describe('a method', () => {
  const PATH = '/v1/latest/cat1/trends/top5/popindex/gb/beauty';
  const endpoints = [
    { name: 'calls.explain', method: 'GET', path: '/v1/calls/{call_id}' },
  ] as const;
  const client = buildClient(API, endpoints);

  it('refuses a misspelled option before it asks: a ceiling that is none would cost', async () => {
    const wrong = { maxCredit: 1 } as object;
    await expect(client.pull(PATH, wrong)).rejects.toThrow(
      'pull takes no "maxCredit"; known are maxCredits,',
    );
    const explain = () => client['calls']?.['explain']?.('id', { signl: null });
    expect(explain).toThrow('calls.explain takes no "signl"; known are signal,');
  });

  it('refuses a part of its path that is missing', () => {
    expect(() => client['calls']?.['explain']?.(undefined)).toThrow(
      'calls.explain needs a value of call_id.',
    );
  });
});
