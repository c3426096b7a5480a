import { pathToFileURL } from 'node:url'
import { isObject } from '../../../ground/json/object.ts'
import type { Runtime } from '../worker/launch.ts'

/** Specifiers and what they stand for (https://html.spec.whatwg.org/#import-maps). */
export interface ImportMap {
  readonly imports: Readonly<Record<string, string>>
  readonly scopes: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {}

/** The map in a `deno.json` or an import map's file. */
export const readImportMap = (file: Readonly<Record<string, unknown>>): ImportMap => ({
  imports: withSubpaths(textsOf(file.imports)),
  scopes: isObject(file.scopes)
    ? Object.fromEntries(Object.entries(file.scopes).map(([scope, imports]) => [scope, textsOf(imports)]))
    : {},
})

/** The dependencies of a `package.json` as an import map (functions §4). */
export const mapOfPackage = (file: Readonly<Record<string, unknown>>): ImportMap => ({
  imports: withSubpaths(
    Object.fromEntries(
      Object.entries(textsOf(file.dependencies)).map(([name, range]) => [
        name,
        /^(npm|jsr):/.test(range) ? range : `npm:${name}@${range}`,
      ]),
    ),
  ),
  scopes: {},
})

/** `deno.json` lets a package's name stand for its subpaths too; an import map says so by an entry of its own. */
function withSubpaths(imports: Record<string, string>): Record<string, string> {
  const subpaths = Object.entries(imports).flatMap(([name, target]) => {
    const [, scheme, rest] = /^(npm|jsr):\/?(.*)$/.exec(target) ?? []
    const isPackage = scheme !== undefined && !name.endsWith('/') && imports[`${name}/`] === undefined
    return isPackage ? [[`${name}/`, `${scheme}:/${rest}/`]] : []
  })
  return { ...imports, ...Object.fromEntries(subpaths) }
}

const stdServerForm = /https:\/\/deno\.land\/std(?:@[\w.-]+)?\/http\/(?:server|mod)\.ts/g
const typesForm =
  /(?:jsr:|https:\/\/esm\.sh\/)@supabase\/functions-js(?:@[^/"'`\s]+)?\/(?:edge-runtime\.d\.ts|src\/edge-runtime\.d\.ts)/g

/** A function's map with what the server brings itself, since a machine without network has to start it too. */
export function withOwnModules({ imports, scopes }: ImportMap, sources: Iterable<string>, runtime: Runtime): ImportMap {
  const urlOf = (path: string): string => pathToFileURL(path).href
  const node = { 'node:fs': urlOf(runtime.nodeFs), 'node:fs/promises': urlOf(runtime.nodeFsPromises) }
  const own: Record<string, string> = { ...node }
  for (const source of sources) {
    for (const [specifier] of source.matchAll(stdServerForm)) own[specifier] = urlOf(runtime.stdServer)
    for (const [specifier] of source.matchAll(typesForm)) own[specifier] = urlOf(runtime.types)
  }
  // What a map leads to is not looked up in it again.
  const mapped = Object.entries(imports).map(([name, target]) => [name, own[target] ?? target])
  const runtimeScope = Object.fromEntries(Object.keys(node).map((name) => [name, name]))
  return {
    imports: { ...Object.fromEntries(mapped), ...own },
    scopes: { ...scopes, [`${urlOf(runtime.folder).replace(/\/$/, '')}/`]: runtimeScope },
  }
}
