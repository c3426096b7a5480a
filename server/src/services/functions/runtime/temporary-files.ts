/** Functions of `Deno` whose first arguments are paths, and how many of them. */
const pathsOfDeno: Readonly<Record<string, 1 | 2>> = {
  copyFile: 2,
  create: 1,
  lstat: 1,
  mkdir: 1,
  open: 1,
  readDir: 1,
  readFile: 1,
  readTextFile: 1,
  realPath: 1,
  remove: 1,
  stat: 1,
  writeFile: 1,
  writeTextFile: 1,
}

/** Those of `node:fs` and `node:fs/promises`. */
const pathsOfNode: Readonly<Record<string, 1 | 2>> = {
  access: 1,
  appendFile: 1,
  chmod: 1,
  copyFile: 2,
  cp: 2,
  createReadStream: 1,
  createWriteStream: 1,
  exists: 1,
  link: 2,
  lstat: 1,
  lutimes: 1,
  mkdir: 1,
  mkdtemp: 1,
  open: 1,
  openAsBlob: 1,
  opendir: 1,
  readFile: 1,
  readdir: 1,
  readlink: 1,
  realpath: 1,
  rename: 2,
  rm: 1,
  rmdir: 1,
  stat: 1,
  statfs: 1,
  symlink: 2,
  truncate: 1,
  unlink: 1,
  utimes: 1,
  writeFile: 1,
}

type AnyFunction = (...args: unknown[]) => unknown
type Functions = Record<string, unknown>

/** The folders that a worker's paths are about. */
export interface WorkerFolders {
  /** Its own, which it sees as `/tmp`. */
  readonly temporary: string
  /** Of the function's files. */
  readonly files: string
  /** Of the packages of npm in Deno's cache. */
  readonly packages: string
}

let redirect = (path: unknown): unknown => path

/** Makes `/tmp` the worker's own folder, in the functions of `Deno` that take paths (functions §6). */
export function redirectTemporaryFiles(api: Functions, { temporary, files, packages }: WorkerFolders): void {
  redirect = (path) => {
    const text = path instanceof URL && path.protocol === 'file:' ? decodeURIComponent(path.pathname) : path
    if (typeof text !== 'string') return path
    const isOther = text !== '/tmp' && !text.startsWith('/tmp/')
    // The function's own files, and packages, may stand below the machine's `/tmp`.
    if (isOther || [temporary, files, packages].some((folder) => text.startsWith(folder))) return path
    return temporary + text.slice('/tmp'.length)
  }
  redirectPaths(api, pathsOfDeno)
  for (const name of ['makeTempDir', 'makeTempDirSync', 'makeTempFile', 'makeTempFileSync']) {
    const original = api[name] as AnyFunction
    api[name] = (options: Readonly<Record<string, unknown>> = {}) =>
      original({ ...options, dir: redirect(options.dir ?? '/tmp') })
  }
}

/** Makes `/tmp` the worker's own folder in a module of Node's, once `redirectTemporaryFiles` has said which that is. */
export const redirectNodeFiles = (module: object): void => redirectPaths(module as Functions, pathsOfNode)

const redirected = new WeakSet<object>()

/** In functions and in their synchronous forms. */
function redirectPaths(module: Functions, paths: Readonly<Record<string, 1 | 2>>): void {
  for (const [base, count] of Object.entries(paths))
    for (const name of [base, `${base}Sync`]) {
      const original = module[name]
      if (typeof original !== 'function' || redirected.has(original)) continue
      const replacement = (...args: unknown[]): unknown =>
        (original as AnyFunction)(...args.map((arg, index) => (index < count ? redirect(arg) : arg)))
      // Node's have properties: `realpath.native`, their forms for `util.promisify`.
      module[name] = Object.assign(replacement, original)
      redirected.add(replacement)
    }
}
