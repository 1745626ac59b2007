const METERED = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

/** Bytes that are no request, each with what is wrong. */
export const GARBAGE: readonly (readonly [what: string, bytes: string | Buffer])[] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['the start of TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a])],
  ['a method and nothing else', 'FETCH /\r\nhost: a\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\nhost: a\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n'],
  ['a header name with a space', 'GET / HTTP/1.1\r\nhost : a\r\n\r\n'],
  ['a null byte in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n'],
  ['a null byte in the address', 'GET /v1/\0 HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a length that is none', 'POST /v1/quotes HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n'],
  [
    'two lengths',
    'POST /v1/quotes HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  ],
  [
    'a length and chunks',
    'POST /v1/quotes HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nhost: a\r\nHOST: b\r\nconnection: close\r\n\r\n'],
  [
    'two Hosts of a metered path',
    `GET ${METERED} HTTP/1.1\r\nhost: a\r\nhost: a\r\nconnection: close\r\n\r\n`,
  ],
  ['no Host of a metered path', `GET ${METERED} HTTP/1.1\r\nconnection: close\r\n\r\n`],
];
