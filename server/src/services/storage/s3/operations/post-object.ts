import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { StorageRequest } from '../../http/caller.ts'
import { findSigner, type S3Keys } from '../authenticate.ts'
import type { S3Response, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { readForm } from '../form.ts'
import { type FormFields, parseFormCredentials, type SizeRange, verifyForm } from '../signature/post-policy.ts'
import { renderDocument } from '../xml/render.ts'
import { metadataOf } from './parameters.ts'

interface PostDeps {
  readonly services: S3Services
  readonly keys: S3Keys
  readonly now: () => Date
}

/** An upload of a browser's form, whose policy is signed (storage §10). */
export async function postObject(
  { services: { uploads }, keys, now }: PostDeps,
  request: Omit<StorageRequest, 'caller'>,
  bucketId: string,
  message: IncomingMessage,
): Promise<S3Response> {
  const form = await readForm(message.headers['content-type'] ?? '', message)
  const { fields } = form
  const { caller, range } = authorizeForm(fields, keys, bucketId, now())
  const key = (fields.get('key') ?? '').replaceAll(`\${filename}`, form.fileName)
  if (key === '') throw s3Error('InvalidArgument', { message: "Bucket POST must contain a field named 'key'." })
  const own = { ...request, caller }
  const name = { bucketId, key }
  const options = { upsert: true, owner: caller.subject }
  const facts = {
    mimeType: fields.get('content-type') ?? form.mimeType ?? 'application/octet-stream',
    cacheControl: fields.get('cache-control') ?? 'no-cache',
    userMetadata: metadataOf(Object.fromEntries(fields)),
    robotsTag: null,
    declaredBytes: null,
  }
  const limit = Math.min(await uploads.admit(own, caller, name, facts, options), range.maxBytes)
  const body = atLeast(form.file, range.minBytes)
  const { file } = await uploads.store(own, name, { ...facts, body, isExact: false }, limit, options)
  return respond(fields, bucketId, key, file.etag)
}

/** Fails at its end when fewer bytes came than the policy wants. */
function atLeast(file: Readable, minBytes: number): Readable {
  let received = 0
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      done(null, chunk)
    },
    flush(done) {
      const message = 'Your proposed upload is smaller than the minimum allowed size'
      done(received < minBytes ? s3Error('InvalidPolicyDocument', { message }) : null)
    },
  })
  // A listener at once: the file may fail before the place for its bytes is ready.
  checked.on('error', () => undefined)
  file.once('error', (error) => checked.destroy(error))
  return file.pipe(checked)
}

/** Whose form it is. @throws AccessDenied, SignatureDoesNotMatch, InvalidPolicyDocument */
function authorizeForm(fields: FormFields, keys: S3Keys, bucketId: string, now: Date) {
  const credentials = parseFormCredentials(fields)
  const { caller, secrets } = findSigner(credentials, keys)
  let failure: unknown = s3Error('SignatureDoesNotMatch')
  for (const secret of secrets)
    try {
      return { caller, range: verifyForm(fields, credentials, secret, bucketId, now) satisfies SizeRange }
    } catch (error) {
      failure = error
    }
  throw failure
}

function respond(fields: FormFields, bucketId: string, key: string, etag: string): S3Response {
  const status = fields.get('success_action_status')
  // 200 where the form names no status, as the reference answers; Amazon has 204.
  if (status !== '201') return { status: status === '204' ? 204 : 200, headers: { etag } }
  return {
    status: 201,
    headers: { etag },
    body: renderDocument('PostResponse', { Bucket: bucketId, Key: key, ETag: etag }),
  }
}
