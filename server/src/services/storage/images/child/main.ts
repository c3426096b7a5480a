import { writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import 'sharp'
import { addNiceness } from '../../../../engines/threads/index.ts'
import { messageOf } from '../../../../ground/errors/message.ts'
import { ServiceError } from '../../../../ground/errors/service-error.ts'
import { createSourceMemory } from '../source-memory.ts'
import { transformImage } from '../transform.ts'
import {
  type ImageBytes,
  type ImageResult,
  type Order,
  partBytes,
  type Report,
  type ReportedOutcome,
  resultDescriptor,
} from './orders.ts'

/** Answers to other requests come first. */
const niceness = 5
/** Of the machine's processes, this one is the first to end where memory is short. */
const likelyToEnd = '500'

addNiceness(niceness)
if (process.platform === 'linux') {
  try {
    writeFileSync('/proc/self/oom_score_adj', likelyToEnd)
  } catch {
    // Where the machine does not let it, another process may be chosen.
  }
}

const memory = createSourceMemory()
const send = (report: Report): void => void process.send?.(report, undefined, undefined, () => undefined)

// The parent, our own code, sends nothing else.
process.on('message', (order) => void work(order as Order))
// Signals are meant for the parent, which decides when images end: it closes the channel, and so does its death.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
if (process.connected) send('ready')
else process.exit(0)

async function work(order: Order): Promise<void> {
  send({ id: order.id, outcome: await outcomeOf(order) })
}

async function outcomeOf({ source, part, plan, limits }: Order): Promise<ReportedOutcome> {
  try {
    return await withBytes(source, async (bytes) => {
      const image = await transformImage(bytes, plan, limits)
      return { kind: 'changed', mimeType: image.mimeType, result: leaveResult(image.bytes, part) }
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) return { kind: 'failed', message: messageOf(error) }
    const { code, status, message, hint, details, wireHint, headers } = error
    return { kind: 'refused', fields: { code, status, message, hint, details, wireHint, headers, cause: undefined } }
  }
}

/** Writes an image to the file of results, where it fits there and the disk has space. */
function leaveResult(bytes: Buffer, part: number | null): ImageResult {
  if (part === null || bytes.length > partBytes) return { bytes }
  try {
    const from = part * partBytes
    for (let at = 0; at < bytes.length; ) at += writeSync(resultDescriptor, bytes, at, bytes.length - at, from + at)
    return { sizeBytes: bytes.length }
  } catch {
    return { bytes }
  }
}

async function withBytes(
  source: ImageBytes,
  change: (bytes: Buffer) => Promise<ReportedOutcome>,
): Promise<ReportedOutcome> {
  if ('bytes' in source) return change(source.bytes)
  const file = await open(source.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return { kind: 'missing' }
  try {
    const { size } = await file.stat()
    if (size > source.maxBytes) return { kind: 'tooLarge' }
    return await memory.holding(size, async (bytes) => {
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(bytes, at, size - at, at)
        if (bytesRead === 0) return { kind: 'missing' }
        at += bytesRead
      }
      return change(bytes)
    })
  } finally {
    await file.close()
  }
}
