import Type from 'typebox'
import { address, type Declared, nullable, setting, text } from '../../../ground/settings/setting.ts'

/** The settings of where the bytes of objects are: part of `[storage]`. */
export const fileStoreSettings = {
  backend: setting(Type.Enum(['folder', 's3']), {
    default: 'folder',
    description: 'Where the bytes of objects are: in a folder, or in a bucket of another S3 server.',
  }),
  folder: setting(nullable(Type.String()), {
    default: null,
    description: 'The folder of the objects’ files; one in the data directory by default.',
  }),
  s3Endpoint: setting(nullable(address(['https', 'http'])), {
    default: null,
    description: 'The S3 server of the bucket; Amazon’s by default.',
  }),
  s3Region: setting(text, { default: 'us-east-1', description: 'The region of the bucket.' }),
  s3Bucket: setting(nullable(text), {
    default: null,
    description: 'The bucket of the objects’ files, which nothing else writes.',
  }),
  s3AccessKeyId: setting(nullable(text), {
    default: null,
    secret: true,
    description: 'The access key of the bucket.',
  }),
  s3SecretAccessKey: setting(nullable(text), {
    default: null,
    secret: true,
    description: 'The secret of the access key of the bucket.',
  }),
  s3TimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 60,
    description: 'How long the S3 server may be silent within a request, before that fails.',
  }),
  s3ForcePathStyle: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the bucket is named in the path rather than in the host name; Amazon wants the latter.',
  }),
} as const satisfies Declared
