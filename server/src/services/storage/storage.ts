import type { FastifyPluginAsync } from 'fastify'
import type { Session, Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import type { Log } from '../../ground/model/log.ts'
import { type Buckets, createBuckets } from './buckets/buckets.ts'
import { bucketRoutes } from './buckets/routes.ts'
import type { FileStore } from './files/file-store.ts'
import { storagePlugin } from './http/plugin.ts'
import { createManagedObjects, type ManagedObjects } from './objects/manage.ts'
import { createReads, type Reads } from './objects/read.ts'
import { downloadRoutes } from './objects/routes/download-routes.ts'
import { manageRoutes } from './objects/routes/manage-routes.ts'
import { uploadRoutes } from './objects/routes/upload-routes.ts'
import { createUploads, type Uploads } from './objects/upload.ts'
import type { StorageSettings } from './settings.ts'
import { signRoutes } from './sign/routes.ts'
import { createUrlSigner, type UrlSigner } from './sign/token.ts'
import { createStorageSql, type StorageSql } from './sql/storage-sql.ts'

/** The dependencies of `createStorage`. */
export interface StorageDeps {
  readonly session: Pick<Session, 'run'>
  /** The tables of `clew_storage`, which no code of the application touches. */
  readonly sql: Sql
  readonly files: FileStore
  /** The project's keys, which sign URLs. */
  readonly keys: KeySet
  readonly settings: StorageSettings
  readonly jsonDepth: number
  readonly now: () => Date
  /** A UUID in lower case. */
  readonly newId: () => string
  readonly log: Log
}

/** Object storage. */
export interface Storage {
  readonly plugin: FastifyPluginAsync
  readonly buckets: Buckets
  readonly uploads: Uploads
  readonly reads: Reads
  readonly objects: ManagedObjects
  readonly signer: UrlSigner
  readonly sql: StorageSql
  close(): Promise<void>
}

/** Opens object storage on a database that has its tables. */
export function createStorage(deps: StorageDeps): Storage {
  const { files, settings, now, newId } = deps
  const { fileSizeLimitBytes: fileSizeLimit } = settings
  const sql = createStorageSql(deps.session)
  const buckets = createBuckets({ sql, fileSizeLimit })
  const uploads = createUploads({ sql, files, buckets, fileSizeLimit, newVersion: newId, now })
  const reads = createReads({ sql, files, buckets })
  const objects = createManagedObjects({ sql, files, buckets, reads, uploads, newVersion: newId })
  const signer = createUrlSigner({ keys: deps.keys, uploadSeconds: settings.signedUploadSeconds, now })
  return {
    plugin: storagePlugin({
      ...deps,
      parts: [
        { prefix: '/bucket', bodies: 'json', plugin: bucketRoutes({ buckets, empty: async () => undefined }) },
        { prefix: '/object', bodies: 'json', plugin: downloadRoutes({ reads, signer }) },
        { prefix: '/object', bodies: 'json', plugin: manageRoutes(objects) },
        { prefix: '/object', bodies: 'json', plugin: signRoutes({ signer, reads, uploads, objects }) },
        { prefix: '/object', bodies: 'streams', plugin: uploadRoutes({ uploads, signer }) },
      ],
    }),
    buckets,
    uploads,
    reads,
    objects,
    signer,
    sql,
    close: () => files.close(),
  }
}
