import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { inParallel } from '../../ground/limits/in-parallel.ts'
import { type FileBelow, filesBelow } from '../../instance/project/buckets/files-below.ts'
import { uploadSourceOf } from '../../instance/project/buckets/upload-source.ts'
import type { Settings } from '../../settings/index.ts'
import { type StorageApi, StorageRefusal, writeDownload } from '../../transfer/index.ts'
import { withStorage } from './connect.ts'
import { listPaths, objectsAt } from './list-paths.ts'
import type { StorageOptions } from './options.ts'
import { createTransferProgress, type TransferProgress } from './progress.ts'
import { baseOf, isFolderPrefix, isStorageUrl, joined, parseStorageUrl, placeIn } from './storage-path.ts'

export interface CopyOptions extends StorageOptions {
  readonly recursive?: boolean
  readonly jobs: string
  readonly cacheControl: string
  readonly contentType?: string
}

interface Copying {
  readonly api: StorageApi
  readonly settings: Settings
  readonly options: CopyOptions
  readonly jobs: number
  readonly progress: TransferProgress
}

const wrong = (message: string) => instanceError('CLEW_STORAGE_PATH', { message })

/** Copies files to storage or from there; with `--recursive` folders. Exit code 1 where some of them could not be copied. */
export async function copy(from: string, to: string, options: CopyOptions): Promise<number> {
  const jobs = Number(options.jobs)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64)
    throw instanceError('CLEW_START_SETTING', { message: `--jobs is "${options.jobs}"; allowed: 1 to 64` })
  if (isStorageUrl(from) === isStorageUrl(to))
    throw wrong(
      isStorageUrl(from)
        ? 'Objects are not copied within storage; `clew storage mv` moves them within their bucket.'
        : 'Neither side is in storage: name one as ss:///bucket/path.',
    )
  const progress = createTransferProgress()
  return withStorage(options, async (api, settings) => {
    const copying = { api, settings, options, jobs, progress }
    try {
      return isStorageUrl(from)
        ? await download(copying, parseStorageUrl(from), resolve(to))
        : await upload(copying, resolve(from), parseStorageUrl(to))
    } finally {
      progress.end()
    }
  })
}

async function download(
  { api, options: { recursive = false }, jobs, progress }: Copying,
  path: string,
  to: string,
): Promise<number> {
  const isFolder = (await statOf(to))?.isDirectory() === true
  const place = isFolder ? join(to, baseOf(path)) : to
  const { bucket, prefix } = placeIn(path)
  if (!recursive) {
    if (isFolderPrefix(prefix)) throw wrong('Folders and buckets are copied with -r alone.')
    const bytes = await api.download({ bucket, key: prefix })
    await writeDownload(place, bytes, { overwrites: false, moved: progress.moved }).catch((error: unknown) => {
      throw isTaken(error) ? instanceError('CLEW_STORAGE_FILE', { message: `${place} is there already.` }) : error
    })
    return 0
  }
  let found = 0
  const failures = await copyEach(objectsAt(api, path), jobs, progress, async (object) => {
    found += 1
    // An empty bucket.
    if (object.endsWith('/')) return
    const target = object === path ? place : join(place, object.slice(path.length))
    // A server may name its objects as it likes.
    if (target !== place && !target.startsWith(place + sep))
      throw new Error(`${object} would be written outside ${place}.`)
    progress.line(`Downloading: ${object} => ${target}`)
    const { bucket: from, prefix: key } = placeIn(object)
    await writeDownload(target, await api.download({ bucket: from, key }), { overwrites: true, moved: progress.moved })
  })
  if (found === 0) throw instanceError('CLEW_STORAGE_REFUSED', { message: `Object not found: ${path}` })
  return failures === 0 ? 0 : 1
}

async function upload({ api, settings, options, jobs, progress }: Copying, from: string, to: string): Promise<number> {
  const { recursive = false, cacheControl, contentType } = options
  const facts = await statOf(from)
  if (facts === null) throw instanceError('CLEW_STORAGE_FILE', { message: `${from} is not there.` })
  if (facts.isDirectory() && !recursive) throw wrong(`${from} is a folder: copy it with -r.`)
  const send = async (path: string, target: string): Promise<void> => {
    const { bucket, prefix: key } = placeIn(target)
    const source = await uploadSourceOf(path, {
      cacheControl,
      overwrites: recursive,
      moved: progress.moved,
      ...(contentType === undefined ? {} : { contentType }),
    })
    await api.upload({ bucket, key }, source)
  }
  if (!recursive) {
    await send(from, isFolderPrefix(placeIn(to).prefix) ? joined(to, basename(from)) : to)
    return 0
  }
  const targetOf = await planTargets(api, from, to, facts.isDirectory())
  const makeBucket = createBucketMaker(api, settings)
  const failures = await copyEach(filesBelow(from), jobs, progress, async ({ path, name }) => {
    const target = targetOf(name)
    progress.line(`Uploading: ${path} => ${target}`)
    await send(path, target).catch(async (error: unknown) => {
      if (!(error instanceof StorageRefusal) || !isMissingBucket(error)) throw error
      await makeBucket(placeIn(target).bucket)
      await send(path, target)
    })
  })
  return failures === 0 ? 0 : 1
}

/** Where the files of a folder go: into a folder of its name where the target is there, else into one of the target's. */
async function planTargets(
  api: StorageApi,
  from: string,
  to: string,
  isFolder: boolean,
): Promise<(name: string) => string> {
  const bare = to.replace(/\/$/, '')
  const names: string[] = []
  if (bare !== '') for await (const name of listPaths(api, bare)) names.push(name)
  const hasFolder = names.includes(`${baseOf(bare)}/`)
  if (!isFolder) {
    const goesInto = isFolderPrefix(placeIn(to).prefix) || (hasFolder && !names.includes(baseOf(bare)))
    return () => (goesInto ? joined(to, basename(from)) : to)
  }
  const base = hasFolder || bare === '' ? joined(to, basename(from)) : to
  return (name) => joined(base, name)
}

/** Creates a bucket that is missing, once, with its properties in `supabase/config.toml`. */
function createBucketMaker(api: StorageApi, { migrations }: Settings): (name: string) => Promise<void> {
  const made = new Map<string, Promise<void>>()
  return (name) => {
    const { objects_path: _, ...properties } = migrations.buckets[name] ?? {}
    const making = made.get(name) ?? api.createBucket(name, properties)
    made.set(name, making)
    return making
  }
}

const isMissingBucket = ({ code }: StorageRefusal): boolean => code === 'NoSuchBucket' || code === 'Bucket not found'

/** Copies each; one that fails is printed, and the others go on. Returns how many failed. */
async function copyEach<Each extends string | FileBelow>(
  files: AsyncIterable<Each>,
  jobs: number,
  progress: TransferProgress,
  work: (file: Each) => Promise<void>,
): Promise<number> {
  let failures = 0
  await inParallel(files, jobs, async (file) => {
    await work(file).catch((error: unknown) => {
      failures += 1
      progress.line(`Not copied: ${typeof file === 'string' ? file : file.path}: ${messageOf(error)}`)
    })
  })
  if (failures > 0) progress.line(`${failures} could not be copied.`)
  return failures
}

const statOf = (path: string): Promise<Stats | null> => stat(path).catch(() => null)

const isTaken = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'EEXIST'
