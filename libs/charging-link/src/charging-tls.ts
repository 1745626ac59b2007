import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TlsOptions } from 'node:tls';
import type { ChargingAddress } from './charging-url.js';

/** Certificate, key and CA of one side of a link with TLS, as PEM texts. */
export interface ChargingTls {
  /** Its own certificate, then those between it and the CA. */
  readonly cert: string;
  /** The private key of the certificate. */
  readonly key: string;
  /** Whoever one of these has signed is let in; several while one replaces another. */
  readonly ca: string;
}

const VERSION = { minVersion: 'TLSv1.3' } as const;

/** Of a server that lets nobody in without a certificate of the CA. */
export function serverTlsOptions(tls: ChargingTls, handshakeTimeout: number): TlsOptions {
  const { cert, key, ca } = tls;
  return {
    cert,
    key,
    ca,
    ...VERSION,
    requestCert: true,
    rejectUnauthorized: true,
    handshakeTimeout,
  };
}

/**
 * Connects to an accounting process, with TLS where it is given: then the process has to show a
 * certificate of the CA that names `host`. What passes a socket of this machine is never encrypted.
 * `onOpen`: messages can be sent.
 */
export function openSocket(
  address: ChargingAddress,
  tls: ChargingTls | undefined,
  onOpen: () => void,
): Socket {
  if ('path' in address) return connect(address.path).once('connect', onOpen);
  const { host, port } = address;
  if (tls === undefined) return connect({ host, port }).once('connect', onOpen);
  const { cert, key, ca } = tls;
  const options = { host, port, cert, key, ca, ...VERSION, rejectUnauthorized: true };
  return connectTls(options).once('secureConnect', onOpen);
}
