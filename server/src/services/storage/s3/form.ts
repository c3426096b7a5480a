import { PassThrough, type Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { storageError } from '../errors.ts'
import type { FormFields } from './signature/post-policy.ts'

/** A form up to its file, which is still to be read. */
export interface S3Form {
  /** By their names in lower case. */
  readonly fields: FormFields
  readonly file: Readable
  readonly fileName: string
  readonly mimeType: string
}

const limits = { fields: 20, files: 1, fieldSize: 64 * 1024, fieldNameSize: 200, headerPairs: 100, headerSize: 16_384 }

/**
 * Reads the fields of a form (POST policy). What follows the file is not read.
 *
 * @throws InvalidRequest for a form without a file, or one that cannot be read
 */
export function readForm(contentType: string, body: Readable): Promise<S3Form> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    let file: PassThrough | null = null
    const fail = (cause: unknown): void => {
      const error = storageError('InvalidRequest', { message: 'The form has no file, or is not well formed', cause })
      if (file === null) reject(error)
      else file.destroy(error)
    }
    let form: BusboyInstance
    try {
      form = new Busboy({ headers: { 'content-type': contentType }, limits })
    } catch (cause) {
      fail(cause)
      return
    }
    form.on('field', (name, value) => {
      if (file === null) fields.set(name.toLowerCase(), value)
    })
    form.on('file', (_field, part, fileName, _encoding, mimeType) => {
      // With a listener for its failure at once: the part may fail before its bytes are asked for.
      const received = new PassThrough().on('error', () => undefined)
      file = received
      part.on('error', (error) => received.destroy(error))
      part.pipe(received)
      resolve({ fields, file: received, fileName: fileName ?? '', mimeType })
    })
    form.on('error', fail)
    form.on('finish', () => {
      if (file === null) fail(null)
    })
    body.on('error', fail)
    body.once('close', () => {
      if (!body.readableEnded) fail(null)
    })
    body.pipe(form)
  })
}
