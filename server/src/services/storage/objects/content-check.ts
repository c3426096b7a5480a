import { PassThrough, type Readable } from 'node:stream'
import { essenceOf } from '../buckets/mime-types.ts'
import { storageError } from '../errors.ts'

/** As much of a file as tells its type. */
const headBytes = 4100

/** Types whose files all begin in a way that is known: one that begins otherwise is none of them. */
const recognizable = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip)$)/

/**
 * The stream as it came, once its first bytes are known to be of the declared type.
 *
 * @throws InvalidMimeType
 */
export async function checkContent(body: Readable, declaredType: string): Promise<Readable> {
  const content = new PassThrough()
  content.on('error', () => undefined)
  body.on('error', (error) => content.destroy(error))
  body.once('close', () => {
    if (!body.readableEnded) content.destroy(new Error('The request ended early.'))
  })
  body.pipe(content)
  const head = await readHead(content)
  const { fileTypeFromBuffer } = await import('file-type')
  checkHead(head, (await fileTypeFromBuffer(head))?.mime, essenceOf(declaredType))
  return content
}

/** The first bytes, which stay in the stream; all of a shorter one. */
async function readHead(content: PassThrough): Promise<Buffer> {
  await arrived(content)
  if (content.readableLength === 0) return Buffer.alloc(0)
  // A stream of bytes without an encoding.
  const head = content.read() as Buffer
  content.unshift(head)
  return head
}

/**
 * Waits until enough of a stream is here, or no more will come. One listener for all its pieces: a new one would be told
 * at once of what is here already, and a client that pauses within the head would keep the event loop.
 */
const arrived = (content: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      const isEnough = content.readableLength >= headBytes || content.writableFinished || content.destroyed
      if (!isEnough) return
      for (const event of events) content.off(event, look)
      resolve()
    }
    for (const event of events) content.on(event, look)
    look()
  })

const events = ['readable', 'finish', 'close'] as const

function checkHead(head: Buffer, found: string | undefined, declared: string): void {
  if (head.length === 0 || found === declared) return
  const isXml = found === 'application/xml' && /(?:\/|\+)xml$/.test(declared)
  const isPlain = found === undefined && !recognizable.test(declared)
  if (isXml || isPlain) return
  const message = `the content is ${found ?? 'of no known type'}, not ${declared}`
  throw storageError('InvalidMimeType', { message })
}
