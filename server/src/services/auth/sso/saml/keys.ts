import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { createCertificate } from './certificate.ts'

/** A key of ours for SAML, and the certificate in which providers get its public half. */
export interface SamlKey {
  readonly privateKeyPem: string
  /** DER in base64, as metadata carries it. */
  readonly certificate: string
}

const minBits = 2048
const publicExponent = 65537n

/** Whether a setting's text is a key that can be used. */
export function isSamlKey(text: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = readPrivateKey(text)
    return (
      asymmetricKeyType === 'rsa' &&
      (asymmetricKeyDetails?.modulusLength ?? 0) >= minBits &&
      asymmetricKeyDetails?.publicExponent === publicExponent
    )
  } catch {
    return false
  }
}

/**
 * Reads a key. Its certificate follows from it and the host alone, so that it stays the same from start to start.
 *
 * @param text PKCS#1 in base64 (what GoTrue is configured with) or PEM
 */
export function readSamlKey(text: string, host: string): SamlKey {
  const key = readPrivateKey(text)
  return {
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: createCertificate(key, createPublicKey(key), host).toString('base64'),
  }
}

const readPrivateKey = (text: string): KeyObject =>
  text.includes('-----BEGIN')
    ? createPrivateKey(text)
    : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs1' })
