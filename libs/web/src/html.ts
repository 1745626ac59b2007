import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Backticks become code; everything else stays text. */
export function inlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:#2458c5}
@media (prefers-color-scheme:dark){:root{--link:#8ab0ff}}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:2rem 1.25rem 6rem}
a{color:var(--link)}h1{font-size:1.9rem}h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.2rem}
h3{margin:1.6rem 0 .4rem}
code,pre{font:.88em/1.5 ui-monospace,Menlo,Consolas,monospace}
code{background:var(--soft);padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.9rem 1rem;border-radius:8px;overflow:auto}pre code{background:none;padding:0}
table{border-collapse:collapse;width:100%;font-size:.94em}td,th{border-bottom:1px solid var(--line);padding:.4rem .6rem .4rem 0;text-align:left;vertical-align:top}
nav p{font-weight:600;margin:1.2rem 0 .3rem}nav ul{list-style:none;margin:0;padding:0}nav li{margin:.15rem 0}.status{font-weight:600}details{margin:.4rem 0}summary{cursor:pointer}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of a page that loads nothing and runs nothing. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
    `frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
} as const;

/** A whole page around a body of HTML. The title is text. */
export function htmlPage(title: string, body: string): string {
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body>${body}</body></html>\n`
  );
}
