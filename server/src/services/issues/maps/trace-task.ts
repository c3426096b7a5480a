import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AnyMap, originalPositionFor, sourceContentFor, type TraceMap } from '@jridgewell/trace-mapping'
import type { TaskOutput } from '../../../engines/threads/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import { issuesError } from '../errors.ts'
import { contextAround } from '../exception/frames.ts'
import type { SourceContext } from '../exception/model.ts'

/** A place in a built file; line and column from 1. */
export interface BuiltPlace {
  readonly line: number
  readonly column: number
}

/** Where a place of a built file comes from. */
export interface SourcePlace {
  readonly file: string
  /** What stands there in the source, which at a call is the name of what is called; null where the map has none. */
  readonly name: string | null
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly context: SourceContext | null
}

/** A source map, and the places to look up in it. */
export interface TraceTask {
  /** gzip. */
  readonly content: Uint8Array
  readonly maxBytes: number
  readonly places: readonly BuiltPlace[]
}

const unpack = promisify(gunzip)

/** What a source map comes to. */
export interface Traced {
  /** SHA-256 of the map, unpacked. */
  readonly hash: string
  readonly sizeBytes: number
  /** In the order of the places; null for what the map does not know. */
  readonly places: readonly (SourcePlace | null)[]
}

/**
 * Looks up places in a source map (ECMA-426), whose parsing would hold the event loop.
 *
 * @throws CLEW_ISSUES_SOURCE_MAP for what is none, or unpacks to more than `maxBytes`
 */
export async function run({ content, maxBytes, places }: TraceTask): Promise<TaskOutput> {
  const plain = await unpack(content, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    throw issuesError('CLEW_ISSUES_SOURCE_MAP', { cause })
  })
  const map = read(plain.toString())
  const hash = createHash('sha256').update(plain).digest('hex')
  const value: Traced = { hash, sizeBytes: plain.length, places: places.map((place) => trace(map, place)) }
  return { value, transfer: [] }
}

function read(text: string): TraceMap {
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json) && json.version === 3 && (typeof json.mappings === 'string' || Array.isArray(json.sections)))
      return new AnyMap(text)
  } catch {
    // Said below.
  }
  throw issuesError('CLEW_ISSUES_SOURCE_MAP')
}

function trace(map: TraceMap, { line, column }: BuiltPlace): SourcePlace | null {
  const found = originalPositionFor(map, { line, column: column - 1 })
  if (found.source === null) return null
  const source = sourceContentFor(map, found.source)
  return {
    // A map's sources are beside the built file, in folders that only the build knows.
    file: found.source.replace(/^(?:\.{1,2}\/)+/, ''),
    name: found.name,
    line: found.line,
    column: found.column + 1,
    context: source === null ? null : contextAround(source, found.line),
  }
}
