import type { ApiKeyEndSet, ApiKeyIssued, ApiKeyRevoked } from './api-key-events.js';
import { commanded, instant, originOf } from './event-type.js';
import { keyEndSet, keyIssued, keyRevoked } from './evolve-api-keys.js';

const page = {
  kind: 'api_key',
  data: ({ key_id: id }: { readonly key_id: string }) => ({ id }),
};

/** Events of API keys. A key that the state does not hold is taken for one never issued. */
export const API_KEY_EVENTS = {
  ApiKeyIssued: commanded<ApiKeyIssued, 'api_key.issued'>({
    effect: keyIssued,
    command: (data) => {
      const { key_id: keyId, hash, prefix, last_four: lastFour, scopes, profile } = data;
      const key = { keyId, hash, prefix, lastFour, scopes, profile };
      const expiresAt = instant(data.expires_at);
      return { command: 'issue-api-key', origin: originOf(data), ...key, expiresAt };
    },
    notification: {
      type: 'api_key.issued',
      data: ({ key_id, scopes, expires_at }) => ({ api_key_id: key_id, scopes, expires_at }),
    },
    page,
    story: {
      title: 'API key issued',
      details: (data, { text }) => `${text(data.prefix)}…${text(data.last_four)}`,
      tone: 'good',
    },
  }),
  ApiKeyRevoked: commanded<ApiKeyRevoked, 'api_key.revoked'>({
    effect: (state, { api_key: ordinal }) => keyRevoked(state, ordinal),
    command: (data) => ({
      command: 'revoke-api-key',
      origin: originOf(data),
      keyId: data.key_id,
      wasIssued: false,
    }),
    notification: { type: 'api_key.revoked', data: ({ key_id }) => ({ api_key_id: key_id }) },
    page,
    story: { title: 'API key revoked', tone: 'warn' },
  }),
  ApiKeyEndSet: commanded<ApiKeyEndSet>({
    effect: keyEndSet,
    command: (data) => ({
      command: 'end-api-key',
      origin: originOf(data),
      keyId: data.key_id,
      expiresAt: Date.parse(data.expires_at),
      wasIssued: false,
    }),
    page,
    story: {
      title: 'API key given an end',
      details: (data, { moment }) => moment(data.expires_at),
    },
  }),
};
