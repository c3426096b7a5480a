import { randomBytes, randomInt } from 'node:crypto'
import { connect } from 'node:net'
import * as aws from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { filesIn, openS3, openS3InBucket, type S3App } from '../../../../test/s3-app.ts'

const partBytes = 200_000
/** More by hand: `CLEW_TRIALS=50`. */
const trials = Number(process.env.CLEW_TRIALS ?? 6)
const places = [0, 1, partBytes - 1, partBytes, ...Array.from({ length: trials }, () => randomInt(partBytes))]

/** Sends some of a body, and leaves. */
async function sendSome(address: string, bytes: Buffer, sentBytes: number): Promise<void> {
  const url = new URL(address)
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined)
  socket.write(
    `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.write(bytes.subarray(0, sentBytes), () => resolve()))
  socket.destroy()
}

test.for([
  ['a folder', (db: TestDatabase) => openS3(db)],
  ['a bucket elsewhere', openS3InBucket],
] as const)(
  'in %s, a part that is cut at any byte is the part as it was, or as it was to be',
  async ([, open], { db }) => {
    const app: S3App = await open(db)
    const place = { Bucket: 'b', Key: 'a' }
    const [first, last] = [randomBytes(partBytes), randomBytes(10)]
    for (const at of places) {
      const { UploadId } = await app.s3.send(new aws.CreateMultipartUploadCommand(place))
      const part = (PartNumber: number) => ({ ...place, UploadId, PartNumber })
      await app.s3.send(new aws.UploadPartCommand({ ...part(1), Body: first }))
      await app.s3.send(new aws.UploadPartCommand({ ...part(2), Body: last }))
      const bytes = randomBytes(partBytes)
      const requests = app.ended.length
      await sendSome(await getSignedUrl(app.s3, new aws.UploadPartCommand(part(1))), bytes, at)
      // A connection that is reset may not have become a request.
      if (at > 0) await expect.poll(() => app.ended.length).toBeGreaterThan(requests)
      await app.s3.send(new aws.CompleteMultipartUploadCommand({ ...place, UploadId }))
      const stored = Buffer.from(await (await app.call('/object/b/a')).arrayBuffer())
      const allowed = at === partBytes ? [first, bytes] : [first]
      expect(
        allowed.some((each) => Buffer.concat([each, last]).equals(stored)),
        `cut at ${at}`,
      ).toBe(true)
    }
    await app.db.admin.query({ text: 'update clew_storage.removals set due_at = now()', values: [] })
    await app.storage.collector.collect()
    await expect.poll(() => filesIn(app)).toBe(1)
  },
)
