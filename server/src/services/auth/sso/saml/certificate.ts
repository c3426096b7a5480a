import { type KeyObject, sign } from 'node:crypto'

/**
 * Wraps a public key into a self-signed X.509 certificate. Only its key counts: SAML metadata has
 * no plainer vessel that every provider reads. The same key and host always make the same bytes.
 *
 * @returns DER
 * @see     https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 */
export function createCertificate(privateKey: KeyObject, publicKey: KeyObject, host: string): Buffer {
  const name = sequence(set(sequence(commonName, utf8(`SAML 2.0 Certificate for ${host}`))))
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(0),
    sha256WithRsa,
    name,
    sequence(utcTime('700101000000Z'), generalizedTime('21691231000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', body, privateKey)
  return sequence(body, sha256WithRsa, tagged(0x03, Buffer.concat([Uint8Array.of(0), signature])))
}

/** One value of DER: its tag, how long it is, itself (X.690 §8.1, §10.1). */
function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const long = length < 0x80 ? [] : length < 0x100 ? [length] : [length >> 8, length & 0xff]
  const size = long.length === 0 ? [length] : [0x80 | long.length, ...long]
  return Buffer.concat([Uint8Array.from([tag, ...size]), content])
}

const sequence = (...deps: readonly Uint8Array[]): Buffer => tagged(0x30, Buffer.concat(deps))
const set = (...deps: readonly Uint8Array[]): Buffer => tagged(0x31, Buffer.concat(deps))
const integer = (value: number): Buffer => tagged(0x02, Uint8Array.of(value))
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text))
const utcTime = (text: string): Buffer => tagged(0x17, Buffer.from(text))
const generalizedTime = (text: string): Buffer => tagged(0x18, Buffer.from(text))
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

/** 2.5.4.3 */
const commonName = objectId('550403')
/** 1.2.840.113549.1.1.11, whose parameters are null. */
const sha256WithRsa = sequence(objectId('2a864886f70d01010b'), tagged(0x05, new Uint8Array()))
