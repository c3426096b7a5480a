import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { additionsForEarlierBuilds } from './earlier-builds.ts'

/** A script of the installed posthog-js, as it is and compressed. */
export interface Script {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly etag: string
}

/** The scripts that posthog-js loads by itself, byte for byte as its npm package holds them. */
export interface ScriptLibrary {
  /** Version of the installed package. */
  readonly version: string
  /** A script by its file name, read and compressed once; null when there is no such script. */
  find(name: string): Promise<Script | null>
  /** The script for builds that ask by its name alone: what earlier ones of them need is added at its end. */
  findForEarlierBuilds(name: string): Promise<Script | null>
}

const compress = promisify(gzip)

/** Opens the installed package. Only names that its `dist` folder lists are ever read: a path cannot lead elsewhere. */
export async function openScriptLibrary(): Promise<ScriptLibrary> {
  // The package exports neither its package.json nor its scripts, so its folder is found from its main file.
  const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'))
  const manifest: unknown = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8'))
  const version = String((manifest as { version?: unknown }).version)
  const names = new Set((await readdir(folder)).filter((name) => name.endsWith('.js')))

  /** Scripts by name, each read once. */
  const collect = (load: (name: string) => Promise<Buffer>): ScriptLibrary['find'] => {
    const scripts = new Map<string, Promise<Script>>()
    return async (name) => {
      if (!names.has(name)) return null
      const script = scripts.get(name) ?? load(name).then(compressScript)
      scripts.set(name, script)
      return script
    }
  }
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name))
  const find = collect(read)
  const findWithAddition = collect(async (name) =>
    Buffer.concat([await read(name), Buffer.from(additionsForEarlierBuilds.get(name) ?? '')]),
  )
  return {
    version,
    find,
    findForEarlierBuilds: (name) => (additionsForEarlierBuilds.has(name) ? findWithAddition(name) : find(name)),
  }
}

async function compressScript(plain: Buffer): Promise<Script> {
  return {
    plain,
    gzipped: await compress(plain, { level: 9 }),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
  }
}
