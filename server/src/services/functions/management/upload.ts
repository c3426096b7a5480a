import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { manageError } from '../errors.ts'

/** What a deployment says of a function, in the words of the Supabase CLI (functions §8). */
export interface UploadOptions {
  readonly entrypoint_path: string
  readonly import_map_path?: string
  readonly static_patterns?: readonly string[]
  readonly verify_jwt?: boolean
}

/** A received deployment, whose files are in the folder that was given. */
export interface Upload {
  readonly options: UploadOptions
  readonly paths: ReadonlySet<string>
}

export interface UploadLimits {
  readonly maxBytes: number
  readonly maxFiles: number
}

const Options = Type.Object({
  entrypoint_path: Type.String({ minLength: 1, maxLength: 1024 }),
  import_map_path: Type.Optional(Type.String({ maxLength: 1024 })),
  static_patterns: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 })),
  verify_jwt: Type.Optional(Type.Boolean()),
})

const metadataBytes = 64 * 1024

/**
 * Reads a deployment: a part `metadata` and a part `file` for each file, whose name is its path in the project.
 *
 * @param folder where the files are written, below their paths
 * @throws CLEW_FUNCTIONS_UPLOAD, CLEW_FUNCTIONS_TOO_LARGE
 */
export function receiveUpload(
  contentType: string,
  body: Readable,
  folder: string,
  limits: UploadLimits,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const paths = new Set<string>()
    const writing: Promise<void>[] = []
    let metadata: string | null = null
    let bytes = 0
    const fail = (error: Error): void => {
      body.unpipe()
      body.resume()
      void Promise.allSettled(writing).then(() => reject(error))
    }
    const form = openForm(contentType, limits)
    /** Passes a part on, and ends it where the form has become too large. */
    const count = async function* (part: AsyncIterable<Buffer>) {
      for await (const chunk of part) {
        bytes += chunk.length
        if (bytes > limits.maxBytes) throw manageError('CLEW_FUNCTIONS_TOO_LARGE')
        yield chunk
      }
    }
    const take = async (path: string, part: BusboyFileStream): Promise<void> => {
      // The part may fail before its bytes are asked for.
      part.on('error', () => undefined)
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await pipeline(part, count, createWriteStream(join(folder, path)))
    }
    form.on('field', (name, value) => {
      if (name === 'metadata') metadata = value
    })
    form.on('file', (name, part, filename) => {
      const path = name === 'file' ? readPath(filename) : null
      if (path === null || paths.has(path)) {
        part.resume()
        fail(unreadable(`"${String(filename).slice(0, 200)}" is no path of a file in the project, or comes twice.`))
        return
      }
      paths.add(path)
      const written = take(path, part)
      written.catch(fail)
      writing.push(written)
    })
    form.on('filesLimit', () => fail(unreadable(`It has more than ${limits.maxFiles} files.`)))
    form.on('error', (cause) => fail(unreadable('The form ends early.', cause)))
    form.on('finish', () => {
      Promise.all(writing)
        .then(() => resolve({ options: readOptions(metadata), paths }))
        .catch(fail)
    })
    body.on('error', (cause) => fail(unreadable('The form ends early.', cause)))
    body.once('close', () => {
      if (!body.readableEnded) fail(unreadable('The form ends early.'))
    })
    body.pipe(form)
  })
}

function openForm(contentType: string, { maxBytes, maxFiles }: UploadLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // A file's name is its path.
      preservePath: true,
      limits: {
        fields: 10,
        files: maxFiles,
        fileSize: maxBytes + 1,
        fieldSize: metadataBytes,
        fieldNameSize: 100,
        headerPairs: 100,
        headerSize: 16_384,
      },
    })
  } catch (cause) {
    throw unreadable('It is no form.', cause)
  }
}

const unreadable = (message: string, cause?: unknown) =>
  manageError('CLEW_FUNCTIONS_UPLOAD', { message: `The deployment cannot be read: ${message}`, cause })

/** A path that stays in its folder, with `/` between names; null for any other. */
export function readPath(path: string): string | null {
  const names = path.replace(/^(\.\/)+/, '').split('/')
  const isFine = (name: string): boolean =>
    name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255 && !/[\\:\0]/.test(name)
  return names.every(isFine) && path.length <= 1024 ? names.join('/') : null
}

function readOptions(metadata: string | null): UploadOptions {
  if (metadata === null) throw unreadable('The part `metadata` is missing.')
  let value: unknown
  try {
    value = JSON.parse(metadata)
  } catch (cause) {
    throw unreadable('The part `metadata` is no JSON.', cause)
  }
  if (!Value.Check(Options, value))
    throw unreadable(
      `\`metadata\` is wrong: ${Value.Errors(Options, value)[0]?.message ?? 'it has no entrypoint_path'}.`,
    )
  return value
}
