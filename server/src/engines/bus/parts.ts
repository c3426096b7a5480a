import type { BusMessage } from './bus.ts'

const headBytes = 5
const usualPayload = 1024 * 1024

/**
 * Cuts a message into parts that a server takes. Each part has the length of the node's name (1 byte), its number and the
 * number of the last (2 each), and the name before its bytes.
 *
 * @param largest what the server takes at a time; null where it has not said so
 */
export function splitIntoParts(node: string, bytes: Buffer, largest: number | null): readonly Buffer[] {
  const name = Buffer.from(node)
  const room = (largest ?? usualPayload) - headBytes - name.length
  const last = Math.max(0, Math.ceil(bytes.length / room) - 1)
  return Array.from({ length: last + 1 }, (_, number) => {
    const head = Buffer.alloc(headBytes)
    head.writeUInt8(name.length)
    head.writeUInt16BE(number, 1)
    head.writeUInt16BE(last, 3)
    return Buffer.concat([head, name, bytes.subarray(number * room, (number + 1) * room)])
  })
}

/** Joins the parts of one subject; those of a node come in their order. A message that lacks one is broken. */
export function joinParts({
  whole,
  broken,
}: {
  readonly whole: (message: BusMessage) => void
  readonly broken: () => void
}): (part: Buffer) => void {
  const begun = new Map<string, Buffer[]>()
  return (part) => {
    const nameEnd = headBytes + part.readUInt8(0)
    const from = part.toString('utf8', headBytes, nameEnd)
    const [number, last] = [part.readUInt16BE(1), part.readUInt16BE(3)]
    const bytes = part.subarray(nameEnd)
    const before = begun.get(from) ?? []
    begun.delete(from)
    // A first part follows no other, and each further one the part before it.
    const isInOrder = number === before.length
    if (!isInOrder) broken()
    if (!isInOrder && number > 0) return
    const parts = isInOrder ? [...before, bytes] : [bytes]
    if (number < last) begun.set(from, parts)
    else whole({ from, bytes: last === 0 ? bytes : Buffer.concat(parts) })
  }
}
