import { escapeHtml } from '#web/html.js';
import type { Words } from './document-texts.js';
import type { Mail } from './send-mail.js';

/** The words of an e-mail as plain text, and as HTML that any reader understands. */
export function letter(
  { subject, sentences, facts, more }: Words,
  language: string,
  url: string,
): Mail {
  const lines = [...sentences, '', ...facts.map(([label, value]) => `${label}: ${value}`)];
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const body = [
    ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    `<table cellpadding="4">${rows.join('')}</table>`,
    `<p>${escapeHtml(more)} <a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
  ];
  return {
    subject,
    text: `${[...lines, '', more, url].join('\n')}\n`,
    html:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      `<title>${escapeHtml(subject)}</title></head><body>${body.join('\n')}</body></html>\n`,
  };
}
