import type { Found } from '../../rest/answers.js';

const API_KEY = /^pix_(?:live|test)_/;
const END_LENGTH = 4;

/** The query for a text that was typed: a whole API key never leaves the page. */
export function askedFor(typed: string): string {
  const text = typed.trim();
  return API_KEY.test(text) ? text.slice(-END_LENGTH) : text;
}

/** The page of something that was found. */
export function addressOf({ type, id, account_id: account, text, detail }: Found): string {
  switch (type) {
    case 'account':
      return `/accounts/${account}`;
    case 'member':
      return `/accounts/${account}/portal`;
    case 'api_key':
      return `/accounts/${account}/keys`;
    case 'call':
      return `/calls?call=${id}`;
    case 'invoice':
      return `/invoices/${detail === 'held' ? id : text}`;
    case 'credit_note':
      return `/accounts/${account}/invoices`;
  }
}
