/** The part of libsodium that receipts need; the package has no types of its own. */
declare module 'sodium-native' {
  /** Writes to `signature`. `key`: seed and public half, 64 bytes. */
  export function crypto_sign_detached(
    signature: Uint8Array,
    message: Uint8Array,
    key: Uint8Array,
  ): void;
  export function crypto_sign_verify_detached(
    signature: Uint8Array,
    message: Uint8Array,
    publicKey: Uint8Array,
  ): boolean;
}
