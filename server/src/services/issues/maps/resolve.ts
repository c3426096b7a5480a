import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../engines/postgres/index.ts'
import { type Threads, taskModule } from '../../../engines/threads/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import { isOwnFile } from '../exception/frames.ts'
import type { Exception, Frame } from '../exception/model.ts'
import { findBuiltFile, nameOf, pathOf } from './find-map.ts'
import { type BuiltFile, selectBuiltFilesStatement, selectMapStatement } from './store.ts'
import type { BuiltPlace, SourcePlace, Traced, TraceTask } from './trace-task.ts'

/** A chain of exceptions, of a release. */
export interface Chain {
  readonly release: string | null
  readonly exceptions: readonly Exception[]
}

export interface ResolveDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly threads: Pick<Threads, 'run'>
  /** The largest source map. */
  readonly maxMapBytes: number
  readonly log: Log
}

/** Of the tasks that read source maps. */
export const traceModule = taskModule('./trace-task', import.meta.url)
/** A place is some hundred bytes, with its lines a few thousand. */
const rememberedPlaces = 5_000

/** Puts the places of the sources in place of the built files', where their maps were uploaded. */
export function createResolve(
  deps: ResolveDeps,
): (chains: readonly Chain[]) => Promise<readonly (readonly Exception[])[]> {
  const known = new LRUCache<string, { readonly place: SourcePlace | null }>({ max: rememberedPlaces })
  return async (chains) => {
    const files = await findFiles(deps, chains)
    if (files.length === 0) return chains.map(({ exceptions }) => exceptions)
    const fileOf = (frame: Frame, release: string | null): BuiltFile | null =>
      frame.line === null || frame.column === null ? null : findBuiltFile(frame, release, files)
    const wanted = new Map<string, Map<string, BuiltPlace>>()
    for (const { release, exceptions } of chains)
      for (const frame of exceptions.flatMap(({ frames }) => frames)) {
        const file = fileOf(frame, release)
        if (file === null || frame.line === null || frame.column === null) continue
        const key = keyOf(file, frame)
        if (known.has(key)) continue
        const places = wanted.get(file.hash) ?? new Map<string, BuiltPlace>()
        wanted.set(file.hash, places.set(key, { line: frame.line, column: frame.column }))
      }
    for (const [hash, places] of wanted) {
      const found = await trace(deps, hash, [...places.values()])
      for (const [index, key] of [...places.keys()].entries()) known.set(key, { place: found[index] ?? null })
    }
    const placeOf = (frame: Frame, release: string | null): SourcePlace | null => {
      const file = fileOf(frame, release)
      return file === null ? null : (known.get(keyOf(file, frame))?.place ?? null)
    }
    return chains.map(({ release, exceptions }) =>
      exceptions.map((exception) => {
        const places = exception.frames.map((frame) => placeOf(frame, release))
        const frames = exception.frames.map((frame, index) => inSource(frame, places[index], places[index + 1]))
        return { ...exception, frames }
      }),
    )
  }
}

const keyOf = ({ hash }: BuiltFile, { line, column }: Frame): string => `${hash}:${line}:${column}`

async function findFiles({ sql }: ResolveDeps, chains: readonly Chain[]): Promise<readonly BuiltFile[]> {
  const frames = chains.flatMap(({ exceptions }) => exceptions.flatMap((each) => each.frames))
  const chunkIds = new Set(frames.flatMap(({ chunkId }) => chunkId ?? []))
  const names = new Set(frames.flatMap(({ file }) => (file === null ? [] : (pathOf(file) ?? []))).map(nameOf))
  if (chunkIds.size === 0 && names.size === 0) return []
  return (await sql.query<BuiltFile>(selectBuiltFilesStatement([...chunkIds], [...names]))).rows
}

/** The places of the sources; none where the map is gone, or is no source map. */
async function trace(
  { sql, threads, maxMapBytes, log }: ResolveDeps,
  hash: string,
  places: readonly BuiltPlace[],
): Promise<readonly (SourcePlace | null)[]> {
  const [row] = (await sql.query<{ content: Buffer; sizeBytes: number }>(selectMapStatement(hash))).rows
  if (row === undefined) return []
  const input: TraceTask = { content: row.content, maxBytes: maxMapBytes, places }
  try {
    const task = { module: traceModule, input, transfer: [], sizeBytes: row.sizeBytes }
    return (await threads.run<Traced>(task)).places
  } catch (error) {
    // An exception is kept with the places of the built file rather than not at all.
    log.warn({ err: error, hash }, 'A source map could not be read')
    return []
  }
}

/** A name that is shorter is a minifier's. */
const shortestName = 4

/** @param caller the place of the call, where the source has the function's own name */
function inSource(frame: Frame, place: SourcePlace | null | undefined, caller: SourcePlace | null | undefined): Frame {
  if (!place) return frame
  const { file, line, column, context } = place
  const builtName = frame.function !== null && frame.function.length >= shortestName ? frame.function : null
  return {
    ...frame,
    file,
    function: caller?.name ?? builtName,
    line,
    column,
    context,
    inApp: frame.inApp && isOwnFile(file),
    built: { file: frame.file ?? '', line: frame.line ?? 0, column: frame.column ?? 0 },
  }
}
