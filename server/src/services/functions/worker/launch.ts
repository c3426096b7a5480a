import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a worker may touch. */
export interface Permissions {
  /** Folders that the function reads. */
  readonly read: readonly string[]
  /** The worker's socket, and the folder of its temporary files. */
  readonly own: readonly string[]
  /** Addresses and networks that it must not reach, each perhaps with a port. */
  readonly deniedHosts: readonly string[]
}

/** The files that decide how a version's modules are found. */
export interface ModuleOptions {
  readonly importMap: string
  /** A `deno.json` with compiler options; null for none. */
  readonly config: string | null
  /** Whether packages of npm are in Deno's cache, or in a `node_modules` of the version's own. */
  readonly packages: 'cache' | 'folder'
  /** The lock file that says which versions of packages they are; null for none. */
  readonly lock: string | null
}

/** How a debugger is attached. */
export interface Inspect {
  readonly mode: 'run' | 'wait' | 'brk'
  /** On 127.0.0.1. */
  readonly port: number
}

/** Deno would halt in the runtime's first line: that halts by itself before the function's (`brk`). */
const inspectArguments = (inspect: Inspect | null): readonly string[] =>
  inspect === null ? [] : ['--quiet', `--inspect${inspect.mode === 'run' ? '' : '-wait'}=127.0.0.1:${inspect.port}`]

/** How Deno is to find a version's modules. */
export const moduleArguments = ({ importMap, config, packages, lock }: ModuleOptions): readonly string[] => [
  lock === null ? '--no-lock' : `--lock=${lock}`,
  `--node-modules-dir=${packages === 'folder' ? 'manual' : 'none'}`,
  `--import-map=${importMap}`,
  config === null ? '--no-config' : `--config=${config}`,
]

const isSource = import.meta.url.endsWith('.ts')

/** The files of the runtime that Deno reads. */
export interface Runtime {
  readonly folder: string
  /** What Deno runs first. */
  readonly boot: string
  /** Stands for the standard library's HTTP server. */
  readonly stdServer: string
  /** Stands for the types that functions import for their editor. */
  readonly types: string
  /** Stand for Node's modules of files. */
  readonly nodeFs: string
  readonly nodeFsPromises: string
}

/** Where the runtime's files are in this installation. */
export const installedRuntime = fileURLToPath(new URL('../runtime/', import.meta.url))

/** The files of a runtime by its folder. */
export function runtimeIn(folder: string): Runtime {
  const file = (name: string): string => join(folder, `${name}${isSource ? '.ts' : '.js'}`)
  return {
    folder,
    boot: file('boot'),
    stdServer: file('std-server'),
    types: file('edge-runtime-types'),
    nodeFs: file('node-fs'),
    nodeFsPromises: file('node-fs-promises'),
  }
}

/** Share of the memory limit that the JavaScript heap may take: buffers stand outside of it. */
const heapShare = 0.75

/** The arguments of a worker's process: everything is denied but what is named (functions §6). */
export function workerArguments(
  options: ModuleOptions & { readonly inspect: Inspect | null },
  { read, own, deniedHosts }: Permissions,
  runtime: Runtime,
  memoryMib: number,
): readonly string[] {
  return [
    'run',
    '--no-prompt',
    '--no-check',
    '--cached-only',
    ...inspectArguments(options.inspect),
    ...moduleArguments(options),
    // The environment holds only what the function may read.
    '--allow-env',
    // Node's `access` asks who runs it.
    '--allow-sys=hostname,osRelease,uid,gid',
    // Modules come from the cache only.
    '--allow-import',
    '--allow-net',
    ...(deniedHosts.length === 0 ? [] : [`--deny-net=${deniedHosts.join(',')}`]),
    `--allow-read=${[...read, ...own, runtime.folder].join(',')}`,
    `--allow-write=${own.join(',')}`,
    `--v8-flags=--max-old-space-size=${Math.floor(memoryMib * heapShare)}`,
    runtime.boot,
  ]
}

/** The environment of Deno's own: the function's is sent to it, and takes this one's place. */
export const denoEnvironment = ({
  cache,
  registries,
}: {
  readonly cache: string
  readonly registries: Readonly<Record<string, string>>
}): Readonly<Record<string, string>> => ({
  ...registries,
  DENO_DIR: cache,
  DENO_NO_UPDATE_CHECK: '1',
  DENO_NO_PACKAGE_JSON: '1',
  NO_COLOR: '1',
})
