/** Said in place of a frame's length where one side speaks TLS and the other does not. */
export const SPEAKS_TLS = 'it speaks TLS, and this process has no CHARGING_TLS_CERT';

const NO_TLS = 'it does not speak TLS, and this process does';
/** A client hears a server's certificate out, and then goes without a word. */
export const LEFT =
  'it ended the connection in the handshake, and may not take the certificate of this process';
const FOREIGN = 'its certificate is of no CA in CHARGING_TLS_CA';
const BARE = 'it shows no certificate';
const NOT_TAKEN = 'it does not take the certificate of this process';

/** By the codes of Node and of OpenSSL, whose own texts hold addresses of memory. */
const TEXTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired, or one that it stands on',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  INVALID_PURPOSE: 'its certificate is not for this side of a connection (extended key usage)',
  DEPTH_ZERO_SELF_SIGNED_CERT: FOREIGN,
  SELF_SIGNED_CERT_IN_CHAIN: FOREIGN,
  UNABLE_TO_GET_ISSUER_CERT: FOREIGN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: FOREIGN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: FOREIGN,
  CERT_SIGNATURE_FAILURE: FOREIGN,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate does not name the host that CHARGING_URLS gives it',
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: BARE,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks no TLS 1.3',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it speaks no TLS 1.3',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: NOT_TAKEN,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: NOT_TAKEN,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: NOT_TAKEN,
  ERR_TLS_HANDSHAKE_TIMEOUT: 'it did not prove itself in time',
  ECONNRESET: LEFT,
};

/** The fault of a TLS handshake, as a part of a sentence. `code`: of error or verification. */
export function tlsFaultText(code: string): string {
  return TEXTS[code] ?? `the TLS handshake failed (${code})`;
}

/** Whether the code is one of TLS itself: then OpenSSL's own text is not for a log. */
export function isTlsCode(code: string): boolean {
  return code !== 'ECONNRESET' && (code in TEXTS || /^ERR_(SSL|TLS)_/.test(code));
}
