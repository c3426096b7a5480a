import type { FastifyPluginAsync } from 'fastify'
import type { Session, Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import { createTokenVerifier } from '../../ground/jwt/verify.ts'
import type { Log } from '../../ground/model/log.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { type Buckets, createBuckets } from './buckets/buckets.ts'
import { bucketRoutes } from './buckets/routes.ts'
import { cdnRoutes } from './cdn/routes.ts'
import { type Collector, createCollector } from './collect/collector.ts'
import type { FileStore } from './files/file-store.ts'
import { healthRoutes } from './health/routes.ts'
import type { StorageRequest } from './http/caller.ts'
import { storagePlugin } from './http/plugin.ts'
import { createImageProcess } from './images/image-process.ts'
import { createImages, type Images } from './images/images.ts'
import { imageRoutes } from './images/routes.ts'
import { createManagedObjects, type ManagedObjects } from './objects/manage.ts'
import { createReads, type Reads } from './objects/read.ts'
import { downloadRoutes } from './objects/routes/download-routes.ts'
import { manageRoutes } from './objects/routes/manage-routes.ts'
import { uploadRoutes } from './objects/routes/upload-routes.ts'
import { createUploads } from './objects/upload.ts'
import type { S3Keys } from './s3/authenticate.ts'
import type { S3Services } from './s3/call.ts'
import { s3Plugin } from './s3/plugin.ts'
import type { StorageSettings } from './settings.ts'
import { signRoutes } from './sign/routes.ts'
import { createUrlSigner, type UrlSigner } from './sign/token.ts'
import { createStorageSql, type StorageSql } from './sql/storage-sql.ts'
import { createResumableUploads, type ResumableUploads } from './tus/resumable.ts'
import { tusRoutes } from './tus/routes.ts'

/** The dependencies of `createStorage`. */
export interface StorageDeps {
  readonly session: Pick<Session, 'run'>
  /** The tables of `clew_storage`, which no code of the application touches. */
  readonly sql: Sql
  readonly files: FileStore
  /** The project's keys, which sign URLs. */
  readonly keys: KeySet
  readonly settings: StorageSettings
  /** The access keys of the S3 protocol. */
  readonly s3Keys: Omit<S3Keys, 'verify'>
  /** The API's address for clients, which signatures may name; null for the one that a request names. */
  readonly publicUrl: URL | null
  readonly jsonDepth: number
  /** This server's version. */
  readonly version: string
  readonly now: () => Date
  /** A UUID in lower case. */
  readonly newId: () => string
  /** Joins the limits of all processes; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  readonly log: Log
}

/** Object storage. */
export interface Storage {
  readonly plugin: FastifyPluginAsync
  readonly buckets: Buckets
  readonly resumable: ResumableUploads
  readonly reads: Reads
  readonly objects: ManagedObjects
  readonly signer: UrlSigner
  readonly sql: StorageSql
  /** Null where images are not changed. */
  readonly images: Images | null
  readonly collector: Collector
  close(): Promise<void>
}

/** Session tokens of the S3 protocol whose good signature is remembered. */
const rememberedTokens = 1000

/** The S3 protocol over what the other protocols use. */
function openS3(deps: StorageDeps, shared: Pick<S3Services, 'sql' | 'buckets' | 'uploads' | 'reads' | 'objects'>) {
  const { files, settings, keys, s3Keys, now, newId } = deps
  const verify = createTokenVerifier({ keys, now, cacheSize: rememberedTokens, clockSkewSeconds: 0 })
  const services = {
    ...shared,
    files,
    region: settings.s3ProtocolRegion,
    newId,
    minPartBytes: settings.s3PartMinimumMib * 1024 * 1024,
  }
  return s3Plugin({ ...deps, services, keys: { ...s3Keys, verify } })
}

/** Opens object storage on a database that has its tables. */
export function createStorage(deps: StorageDeps): Storage {
  const { files, settings, now, newId, topic = noOthers } = deps
  const sql = createStorageSql(deps.session)
  const { fileSizeLimitBytes: fileSizeLimit, emptyBucketObjects, sharedCacheSeconds, objectsPerRequest } = settings
  const collector = createCollector({
    ...deps,
    storageSql: sql,
    emptyBucketObjects,
    multipartHours: settings.s3MultipartHours,
  })
  const buckets = createBuckets({ sql, fileSizeLimit })
  const uploads = createUploads({
    ...deps,
    sql,
    buckets,
    fileSizeLimit,
    checkedBuckets: settings.checkedBuckets,
    newVersion: newId,
  })
  const reads = createReads({ sql, files })
  const objects = createManagedObjects({ sql, files, buckets, reads, uploads, newVersion: newId })
  const lifetimeMs = settings.resumableHours * 3_600_000
  const resumable = createResumableUploads({ ...deps, uploads, lifetimeMs, newVersion: newId })
  const signer = createUrlSigner({ keys: deps.keys, uploadSeconds: settings.signedUploadSeconds, now })
  const s3 = openS3(deps, { sql, buckets, uploads, reads, objects })
  const plainUploads = uploadRoutes({ uploads, signer, limitBytes: settings.standardUploadLimitBytes })
  const imageProcess = createImageProcess({ threads: settings.imageConcurrency, log: deps.log })
  const images = createImages(settings, imageProcess)
  const renders = imageRoutes({ reads, signer, images, requestsPerSecond: settings.imageRequestsPerSecond, now, topic })
  const probe = (request: StorageRequest) => buckets.find(request, '')
  return {
    plugin: storagePlugin({
      ...deps,
      jsonLimits: { depth: deps.jsonDepth, values: 10 * objectsPerRequest },
      parts: [
        { prefix: '/bucket', bodies: 'json', plugin: bucketRoutes({ buckets, empty: collector.empty }) },
        { prefix: '/object', bodies: 'json', plugin: downloadRoutes({ reads, signer, sharedCacheSeconds }) },
        { prefix: '/object', bodies: 'json', plugin: manageRoutes(objects, objectsPerRequest) },
        {
          prefix: '/object',
          bodies: 'json',
          plugin: signRoutes({ signer, reads, uploads, objects, objectsPerRequest }),
        },
        { prefix: '/cdn', bodies: 'json', plugin: cdnRoutes({ forgetImages: images.clear }) },
        { prefix: '', bodies: 'json', plugin: healthRoutes({ probe, version: deps.version }) },
        {
          prefix: '/upload/resumable',
          bodies: 'streams',
          plugin: tusRoutes({ ...deps, resumable, signer, fileSizeLimit }),
        },
        { prefix: '/object', bodies: 'streams', plugin: plainUploads },
        ...(settings.s3Protocol ? [{ prefix: '/s3', bodies: 'streams', plugin: s3 } as const] : []),
        ...(settings.imageTransformation ? [{ prefix: '/render', bodies: 'json', plugin: renders } as const] : []),
      ],
    }),
    buckets,
    resumable,
    reads,
    objects,
    signer,
    sql,
    images: settings.imageTransformation ? images : null,
    collector,
    close: async () => {
      await collector.close()
      await imageProcess.close()
      await files.close()
    },
  }
}
