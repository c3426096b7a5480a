import type { ServerFrame } from './encode.ts'

const [textKind, binaryKind] = [0x81, 0x82]

/**
 * A frame as it stands on the wire, where one buffer goes to many sockets: whole, and without a mask.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function framed({ bytes, isBinary }: ServerFrame): Buffer {
  const { length } = bytes
  const kind = isBinary ? binaryKind : textKind
  if (length < 126) return Buffer.concat([Buffer.from([kind, length]), bytes])
  if (length < 65_536) return Buffer.concat([Buffer.from([kind, 126, length >> 8, length & 0xff]), bytes])
  const header = Buffer.alloc(10)
  header[0] = kind
  header[1] = 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([header, bytes])
}
