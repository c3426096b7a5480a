/** What nodes and their broker say to each other. */
export const frameKinds = { subscribe: 1, unsubscribe: 2, message: 3, echo: 4 } as const
type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

/** A frame as it came; `raw` is all of it, to be passed on as it is. */
export interface Frame {
  readonly kind: number
  readonly from: string
  readonly subject: string
  readonly bytes: Buffer
  readonly raw: Buffer
}

const headBytes = 8
const none = Buffer.alloc(0)

/** Length of all that follows it (4 bytes), kind (1), lengths of node (1) and subject (2), then these and the message. */
export function encodeFrame(kind: FrameKind, from: string, subject: string, bytes: Buffer = none): Buffer {
  const names = Buffer.from(from + subject)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(headBytes - 4 + names.length + bytes.length)
  head.writeUInt8(kind, 4)
  head.writeUInt8(Buffer.byteLength(from), 5)
  head.writeUInt16BE(Buffer.byteLength(subject), 6)
  return Buffer.concat([head, names, bytes])
}

/** Reads frames from the chunks of a stream. */
export function createFrameReader(handle: (frame: Frame) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let size = 0
  /** Of the frame that has begun; null until its length is there. */
  let wanted: number | null = null
  return (chunk) => {
    waiting.push(chunk)
    size += chunk.length
    while (size >= (wanted ?? 4)) {
      // Joined once a frame is whole, so that a large one is not copied with every chunk.
      const all = waiting.length === 1 ? (waiting[0] ?? none) : Buffer.concat(waiting)
      wanted ??= 4 + all.readUInt32BE(0)
      const isWhole = size >= wanted
      const rest = isWhole ? all.subarray(wanted) : all
      waiting = rest.length === 0 ? [] : [rest]
      size = rest.length
      if (!isWhole) return
      const raw = all.subarray(0, wanted)
      wanted = null
      handle(decodeFrame(raw))
    }
  }
}

function decodeFrame(raw: Buffer): Frame {
  const fromEnd = headBytes + raw.readUInt8(5)
  const subjectEnd = fromEnd + raw.readUInt16BE(6)
  return {
    kind: raw.readUInt8(4),
    from: raw.toString('utf8', headBytes, fromEnd),
    subject: raw.toString('utf8', fromEnd, subjectEnd),
    bytes: raw.subarray(subjectEnd),
    raw,
  }
}
