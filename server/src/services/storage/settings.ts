import Type from 'typebox'
import { type Declared, nullable, setting, type Values } from '../../ground/settings/setting.ts'
import { fileStoreSettings } from './files/settings.ts'
import { imageSettings } from './images/settings.ts'
import { s3ProtocolSettings } from './s3/settings.ts'

const mib = 1024 * 1024

/** The settings of object storage. */
export const storageSettings = {
  enabled: setting(Type.Boolean(), { default: true, description: 'Whether /storage/v1 is served.' }),
  fileSizeLimitBytes: setting(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    limit: true,
    default: 50 * mib,
    description: 'The largest object, whatever its bucket allows.',
  }),
  standardUploadLimitBytes: setting(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })), {
    limit: true,
    default: null,
    description: 'The largest object of one plain upload, where larger ones shall be resumable or of several parts.',
  }),
  objectsPerRequest: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'The most objects that one request lists, removes or signs.',
  }),
  signedUploadSeconds: setting(Type.Integer({ minimum: 1, maximum: 31_536_000 }), {
    default: 7200,
    description: 'How long a signed URL of an upload is good.',
  }),
  sharedCacheSeconds: setting(Type.Integer({ minimum: 0, maximum: 31_536_000 }), {
    default: 0,
    description:
      'How long a shared cache that asks whether its copy of an object is still good may keep it (`s-maxage`); 0 leaves that ' +
      'to the cache control of the object.',
  }),
  resumableHours: setting(Type.Integer({ minimum: 1, maximum: 8760 }), {
    default: 24,
    description: 'How long a resumable upload may take; what is not finished by then is removed.',
  }),
  emptyBucketObjects: setting(Type.Integer({ minimum: 1, maximum: 100_000_000 }), {
    limit: true,
    default: 200_000,
    description: 'The most objects that a request to empty a bucket removes.',
  }),
  checkedBuckets: setting(Type.Array(Type.String()), {
    default: [],
    description: 'Buckets whose uploads must begin as files of their declared type do.',
  }),
  ...fileStoreSettings,
  ...s3ProtocolSettings,
  ...imageSettings,
} as const satisfies Declared

/** The values of `storageSettings`. */
export type StorageSettings = Values<typeof storageSettings>
