import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { type CheckedFiles, checkFiles } from './check-files.ts'
export { storageConsole } from './console/storage-console.ts'
export { storageError } from './errors.ts'
export { openFileStore, openS3Bucket } from './files/open.ts'
export { hasStorageTables } from './installed.ts'
export { storagePersonStore } from './objects/person-store.ts'
export { s3Error } from './s3/errors.ts'
export { localS3AccessKey, type S3AccessKey, s3AccessKeyOf } from './s3/keys.ts'
export { storageService } from './service.ts'
export { type StorageSettings, storageSettings } from './settings.ts'
export { createStorage, type Storage, type StorageDeps } from './storage.ts'

/** Schema `storage`, and `clew_storage` with what the service alone knows. */
export const storageTables = {
  name: 'storage',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
