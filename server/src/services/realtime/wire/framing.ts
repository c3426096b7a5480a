/** A frame as it stands on the wire, whole and without a mask: one buffer goes to any number of sockets. */
export interface ServerFrame {
  readonly wire: Buffer
  /** Bytes of what is in it. */
  readonly length: number
}

const kinds = { text: 0x81, binary: 0x82 } as const

/**
 * Makes the frame of a message, whose parts stand one behind another.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function framed(kind: keyof typeof kinds, parts: readonly Buffer[]): ServerFrame {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return { wire: Buffer.concat([headerOf(kinds[kind], length), ...parts]), length }
}

function headerOf(kind: number, length: number): Buffer {
  if (length < 126) return Buffer.from([kind, length])
  if (length < 65_536) return Buffer.from([kind, 126, length >> 8, length & 0xff])
  const header = Buffer.alloc(10)
  header[0] = kind
  header[1] = 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}
