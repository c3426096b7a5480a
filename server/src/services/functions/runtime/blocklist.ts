/** Functions of `Deno` that the reference's functions do not have (functions §6). */
const blocked: readonly string[] = [
  'chdir',
  'chmod',
  'chmodSync',
  'chown',
  'chownSync',
  'createSync',
  'link',
  'linkSync',
  'openSync',
  'readLink',
  'readLinkSync',
  'rename',
  'renameSync',
  'symlink',
  'symlinkSync',
  'truncate',
  'truncateSync',
  'umask',
  'utime',
  'utimeSync',
  'watchFs',
]

/** Those that only the entry file may call, and the modules that it imports, while they load. */
const blockedOnceLoaded: readonly string[] = [
  'copyFileSync',
  'lstatSync',
  'makeTempDirSync',
  'makeTempFileSync',
  'mkdirSync',
  'readDirSync',
  'removeSync',
  'statSync',
  'writeFileSync',
  'writeTextFileSync',
]

const warnedOnceLoaded: readonly string[] = ['readFileSync', 'readTextFileSync']

/** Those that do nothing. */
const idle: readonly string[] = ['addSignalListener', 'exit', 'kill', 'removeSignalListener']

interface BlockedApi extends Record<string, unknown> {
  readonly errors: { readonly PermissionDenied: new (message: string) => Error }
}

type AnyFunction = (...args: unknown[]) => unknown

/**
 * The `Deno` of a function refuses what the reference's functions may not call, in its words, so that what runs here runs
 * there. Node's modules keep the runtime's own: packages read their files by them.
 *
 * @param isLoading whether the entry file has not run to its end yet
 */
export function blockApi(own: BlockedApi, isLoading: () => boolean): void {
  for (const name of idle) Object.assign(own, { [name]: () => undefined })
  const api = Object.defineProperties({}, Object.getOwnPropertyDescriptors(own)) as BlockedApi
  const refuse = (words: string) => (): never => {
    throw new api.errors.PermissionDenied(words)
  }
  const whenLoaded = (name: string, act: () => void): void => {
    const original = api[name] as AnyFunction
    Object.assign(api, {
      [name]: (...args: unknown[]): unknown => {
        if (!isLoading()) act()
        return original(...args)
      },
    })
  }
  for (const name of blocked) Object.assign(api, { [name]: refuse(`Deno.${name} is blocklisted`) })
  for (const name of blockedOnceLoaded) whenLoaded(name, refuse(`Deno.${name} is blocklisted on the current context`))
  for (const name of warnedOnceLoaded)
    whenLoaded(name, () =>
      console.error(
        `WARNING: Do not use Deno.${name} inside the async callback. This has performance impacts and will be disallowed in the future.\nUse the async version instead.`,
      ),
    )
  Object.assign(api, { execPath: () => '/bin/edge-runtime' })
  Object.defineProperty(globalThis, 'Deno', { value: api, writable: true, configurable: true })
  Reflect.deleteProperty(globalThis, 'Worker')
  // A process has one thread, and shares its memory with none.
  Object.defineProperty(globalThis, 'SharedArrayBuffer', { value: ArrayBuffer, writable: true, configurable: true })
}
