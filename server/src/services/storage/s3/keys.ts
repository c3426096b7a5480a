import { createHmac } from 'node:crypto'

/** An access key of the S3 protocol: it acts as the service role. */
export interface S3AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The access key of local mode: public like its other keys, so that existing projects' settings fit. */
export const localS3AccessKey: S3AccessKey = {
  accessKeyId: '625729a08b95bf1b7ff351a663f3a23c',
  secretAccessKey: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
}

/** The access key of a data directory in production, of a root key. */
export function s3AccessKeyOf(root: string): S3AccessKey {
  const derive = (name: string): string => createHmac('sha256', root).update(`s3 ${name}`).digest('hex')
  return { accessKeyId: derive('access key id').slice(0, 32), secretAccessKey: derive('secret access key') }
}
