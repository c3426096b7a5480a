/** Functions of `Deno` whose first arguments are paths, and how many of them. */
const pathArguments: Readonly<Record<string, 1 | 2>> = {
  chmod: 1,
  copyFile: 2,
  create: 1,
  link: 2,
  lstat: 1,
  mkdir: 1,
  open: 1,
  readDir: 1,
  readFile: 1,
  readTextFile: 1,
  realPath: 1,
  remove: 1,
  rename: 2,
  stat: 1,
  symlink: 2,
  truncate: 1,
  utime: 1,
  writeFile: 1,
  writeTextFile: 1,
}

type AnyFunction = (...args: unknown[]) => unknown

/**
 * Makes `/tmp` the worker's own folder, in the functions of `Deno` that take paths, and in their synchronous forms
 * (functions §6).
 */
export function redirectTemporaryFiles(
  api: Record<string, unknown>,
  { temporary, files }: { readonly temporary: string; readonly files: string },
): void {
  const redirect = (path: unknown): unknown => {
    const text = path instanceof URL && path.protocol === 'file:' ? decodeURIComponent(path.pathname) : path
    if (typeof text !== 'string') return path
    const isOther = text !== '/tmp' && !text.startsWith('/tmp/')
    // The function's own files may stand below the machine's `/tmp`.
    if (isOther || [temporary, files].some((folder) => text.startsWith(folder))) return path
    return temporary + text.slice('/tmp'.length)
  }
  for (const [base, count] of Object.entries(pathArguments))
    for (const name of [base, `${base}Sync`]) {
      const original = api[name]
      if (typeof original !== 'function') continue
      api[name] = (...args: unknown[]) =>
        (original as AnyFunction)(...args.map((arg, index) => (index < count ? redirect(arg) : arg)))
    }
  for (const name of ['makeTempDir', 'makeTempDirSync', 'makeTempFile', 'makeTempFileSync']) {
    const original = api[name] as AnyFunction
    api[name] = (options: Readonly<Record<string, unknown>> = {}) =>
      original({ ...options, dir: redirect(options.dir ?? '/tmp') })
  }
}
