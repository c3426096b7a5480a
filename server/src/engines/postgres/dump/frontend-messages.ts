/** Codes of the frontend's messages that the server answers with one ReadyForQuery. */
const query = 0x51
const sync = 0x53
const readyForQuery = 0x5a

const headerBytes = 5

/**
 * Counts the complete messages at the beginning of `bytes` that have `codes`.
 *
 * @returns their number, and where the first incomplete message begins
 */
function countMessages(bytes: Buffer, codes: readonly number[]): { readonly count: number; readonly end: number } {
  let count = 0
  let end = 0
  while (bytes.length - end >= headerBytes) {
    const length = 1 + bytes.readUInt32BE(end + 1)
    if (bytes.length - end < length) break
    if (codes.includes(bytes[end] ?? 0)) count += 1
    end += length
  }
  return { count, end }
}

/** A stream of messages that arrives in pieces of any size. */
export interface MessageCounter {
  /** Takes the next piece. Returns how many of the counted messages it completes. */
  add(piece: Uint8Array): number
}

function messageCounter(codes: readonly number[]): MessageCounter {
  let rest: Buffer = Buffer.alloc(0)
  return {
    add(piece) {
      const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
      const { count, end } = countMessages(bytes, codes)
      rest = bytes.subarray(end)
      return count
    },
  }
}

/** Counts the messages of a client after which the server says that it is ready for the next one. */
export const countRequests = (): MessageCounter => messageCounter([query, sync])

/** Counts the server's ReadyForQuery messages. */
export const countReady = (): MessageCounter => messageCounter([readyForQuery])

/** A backend message: `code`, the length, and the body. */
function backendMessage(code: string, body: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write(code, 'latin1')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/**
 * The server's answer to a StartupMessage: AuthenticationOk, the parameters, BackendKeyData and ReadyForQuery.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-START-UP
 */
export function renderStartupAnswer(parameters: Readonly<Record<string, string>>): Buffer {
  const statuses = Object.entries(parameters).map(([name, value]) =>
    backendMessage('S', Buffer.from(`${name}\0${value}\0`)),
  )
  return Buffer.concat([
    backendMessage('R', Buffer.alloc(4)),
    ...statuses,
    backendMessage('K', Buffer.alloc(8)),
    backendMessage('Z', Buffer.from('I')),
  ])
}
