import { PassThrough, type Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { storageError } from '../../errors.ts'

/** A form whose fields before its file are read, and whose file is still to be read. */
export interface MultipartUpload {
  /** Fails when the form ends early. */
  readonly file: Readable
  /** The type of the part, in lower case, without parameters. */
  readonly mimeType: string
  readonly fields: ReadonlyMap<string, string>
  /** The fields behind the file, once it has been read. @throws InvalidRequest when the form ends early */
  readonly laterFields: () => Promise<ReadonlyMap<string, string>>
}

const limits = {
  fields: 10,
  files: 1,
  fieldSize: 1024 * 1024 + 1,
  fieldNameSize: 100,
  headerPairs: 100,
  headerSize: 16_384,
}

/**
 * Reads a form up to its file.
 *
 * @throws InvalidRequest for a form without a file, or one that cannot be read
 */
export function readMultipart(contentType: string, body: Readable): Promise<MultipartUpload> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    const later = new Map<string, string>()
    let file: PassThrough | null = null
    let finish = (): void => undefined
    let failLater = (_error: Error): void => undefined
    const ended = new Promise<ReadonlyMap<string, string>>((resolveLater, rejectLater) => {
      finish = () => resolveLater(later)
      failLater = rejectLater
    })
    ended.catch(() => undefined)
    const fail = (cause: unknown): void => {
      if (file !== null) {
        const error = storageError('InvalidRequest', { message: 'The form ends early', cause })
        file.destroy(error)
        failLater(error)
      } else reject(storageError('InvalidRequest', { message: 'No content provided', cause }))
    }
    let form: BusboyInstance
    try {
      form = new Busboy({ headers: { 'content-type': contentType }, limits })
    } catch (cause) {
      fail(cause)
      return
    }
    form.on('field', (name, value) => {
      const known = file === null ? fields : later
      known.set(name, value)
    })
    form.on('file', (_name, part, _filename, _encoding, mimeType) => {
      // Made at once, with a listener for its failure: the part may fail before its bytes are asked for.
      const received = new PassThrough()
      received.on('error', () => undefined)
      file = received
      part.on('error', fail)
      part.pipe(received)
      resolve({ file: received, mimeType, fields, laterFields: () => ended })
    })
    form.on('error', fail)
    form.on('finish', () => {
      if (file === null) fail(new Error('The form has no file.'))
      finish()
    })
    body.on('error', fail)
    body.once('close', () => {
      if (!body.readableEnded) fail(new Error('The request ended early.'))
    })
    body.pipe(form)
  })
}
